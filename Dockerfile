# docker build -t mneme .
# docker run --rm -v mneme:/data mneme keys create default    prints the key for HTTP callers
# docker run -p 127.0.0.1:7077:7077 -v mneme:/data mneme
# For an agent, over stdio: docker run -i --rm -v mneme:/data mneme mcp
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm run package -- "mneme-runtime-linux-$(node -p process.arch)"
# Optional packages are for other systems; the runtime for this one is named explicitly.
RUN npm install --prefix /opt/mneme --omit=optional --ignore-scripts --no-audit --no-fund \
    .cache/packages/mneme-[0-9]*.tgz .cache/packages/mneme-runtime-*.tgz

FROM node:24-bookworm-slim
COPY --from=build /opt/mneme /opt/mneme
RUN mkdir /data && chown node:node /data
# Listen on all addresses, so that the published port works. The server does not start there without a key.
ENV NODE_ENV=production MNEME_DATA_DIR=/data MNEME_HOST=0.0.0.0
USER node
VOLUME /data
EXPOSE 7077
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:7077/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/mneme/node_modules/mneme/dist/main.js"]
CMD ["serve"]
