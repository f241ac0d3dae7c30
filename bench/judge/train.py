"""Trains assets/reranker/reranker-int8.onnx further on the pairs that `npm run bench judge` writes.

Needs Python 3 with numpy, torch and onnx (Debian: python3-torch, python3-onnx).

    python3 bench/judge/train.py --pairs pairs.jsonl --keep keep.jsonl --out assets/reranker/reranker-int8.onnx

--pairs: questions whose answers are known; --keep: questions of other kinds of text, whose scores should stay as they are.
"""

import argparse
import copy
import json
import math
import random

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import numpy_helper

WIDTH, HEADS, LAYERS, INNER, VOCABULARY, POSITIONS = 384, 12, 4, 1536, 30522, 512
CHUNK = 48
# Candidates of a question that take part in a step, next to those that answer it.
HARD, RANDOM, MOST_ANSWERS, KEPT = 5, 1, 4, 5


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.i, self.u = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.n1, self.n2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))

    def forward(self, x, bias, dropout):
        rows, length, _ = x.shape
        q, k, v = (part(x).view(rows, length, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        weights = F.dropout((q @ k.transpose(-1, -2) / math.sqrt(WIDTH / HEADS) + bias).softmax(-1), dropout, self.training)
        mixed = self.o((weights @ v).transpose(1, 2).reshape(rows, length, WIDTH))
        x = self.n1(x + F.dropout(mixed, dropout, self.training))
        return self.n2(x + F.dropout(self.u(F.gelu(self.i(x))), dropout, self.training))


class Judge(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.w, self.pos, self.t = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH), nn.Embedding(2, WIDTH)
        self.n = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool, self.head = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.dropout = dropout

    def forward(self, ids, types, mask):
        x = self.n(self.w(ids) + self.pos.weight[: ids.shape[1]] + self.t(types))
        bias = (1 - mask)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, bias, self.dropout)
        return self.head(torch.tanh(self.pool(x[:, 0]))).squeeze(-1)


def weights_of_layers(model):
    """The name of each linear layer in the file: a product of integers is followed by the sum with the layer's bias."""
    names = {}
    for node in model.graph.node:
        if node.op_type != "MatMulInteger":
            continue
        output = node.output[0]
        while True:
            following = next(other for other in model.graph.node if output in other.input)
            output = following.output[0]
            if following.op_type == "Add":
                bias = next(name for name in following.input if name.endswith(".bias"))
                names[node.input[1][: -len("_q")]] = bias[len("b.") : -len(".bias")]
                break
    return names


def load(path, dropout):
    model = onnx.load(path)
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    state = {name[2:]: torch.tensor(value.copy()) for name, value in stored.items() if name.startswith("b.") and not name.startswith("b.w.")}
    state["w.weight"] = torch.tensor(stored["b.w.weight_q"].astype(np.float32) * stored["b.w.weight_s"])
    for base, layer in weights_of_layers(model).items():
        whole = stored[base + "_q"].astype(np.float32) - stored[base + "_z"].astype(np.float32)
        state[layer + ".weight"] = torch.tensor((whole * stored[base + "_s"]).T.copy())
    judge = Judge(dropout)
    judge.load_state_dict(state)
    return judge, model


def quantise(weights, axis):
    scale = np.maximum(np.abs(weights).max(axis, keepdims=True) / 127, 1e-8)
    return np.clip(np.round(weights / scale), -127, 127).astype(np.int8), scale.astype(np.float32)


def save(judge, model, path):
    state = {name: value.detach().numpy() for name, value in judge.state_dict().items()}
    values = {"b." + name: value for name, value in state.items()}
    values["b.w.weight_q"], values["b.w.weight_s"] = quantise(state["w.weight"], 1)
    for base, layer in weights_of_layers(model).items():
        codes, scale = quantise(state[layer + ".weight"].T, 0)
        values[base + "_q"], values[base + "_s"], values[base + "_z"] = codes, scale[0], np.zeros(codes.shape[1], np.int8)
    for tensor in model.graph.initializer:
        tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values[tensor.name]), tensor.name))
    onnx.save(model, path)


def read(path):
    questions = [json.loads(line) for line in open(path)]
    return [q for q in questions if q["answerable"] == any(row["answers"] for row in q["rows"])]


def score(judge, rows):
    """Raw scores, in chunks of similar length."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["ids"]))
    scores = []
    for start in range(0, len(order), CHUNK):
        part = [rows[i] for i in order[start : start + CHUNK]]
        length = max(len(row["ids"]) for row in part)
        ids, types, mask = (torch.zeros(len(part), length, dtype=kind) for kind in (torch.long, torch.long, torch.float))
        for i, row in enumerate(part):
            n = len(row["ids"])
            ids[i, :n], types[i, :n], mask[i, :n] = torch.tensor(row["ids"]), torch.tensor(row["types"]), 1
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores.append(judge(ids, types, mask))
    return torch.cat(scores).float()[torch.argsort(torch.tensor(order))]


def choose(question):
    answers = [row for row in question["rows"] if row["answers"]][:MOST_ANSWERS]
    others = sorted((row for row in question["rows"] if not row["answers"]), key=lambda row: -row["raw"])
    return answers + others[:HARD] + random.sample(others[HARD:], min(RANDOM, len(others) - HARD) if len(others) > HARD else 0)


def loss_of_question(scores, rows):
    """How probable the answers are among the candidates and a null candidate of score 0, and each candidate by itself."""
    wanted = torch.tensor([float(row["answers"]) for row in rows])
    total = torch.logsumexp(torch.cat([torch.zeros(1), scores]), 0)
    listwise = total - torch.logsumexp(scores[wanted > 0], 0) if wanted.any() else total
    return listwise + 0.5 * F.binary_cross_entropy_with_logits(scores, wanted)


def loss_of_change(scores, rows):
    before = torch.tensor([row["raw"] for row in rows])
    change = scores - before
    return 0.1 * ((change - change.mean()) ** 2).mean() + 0.02 * (change**2).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--keep")
    parser.add_argument("--start", default="assets/reranker/reranker-int8.onnx")
    parser.add_argument("--out", required=True)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=7e-5)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--share", type=float, default=0.15, help="share of the weights before")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    questions, kept = read(options.pairs), read(options.keep) if options.keep else []
    judge, model = load(options.start, dropout=0.1)
    for part in (judge.w, judge.pos, judge.t):
        part.weight.requires_grad = False
    before, average = copy.deepcopy(judge), copy.deepcopy(judge)
    optimiser = torch.optim.AdamW((p for p in judge.parameters() if p.requires_grad), weight_decay=0.01)
    steps = options.epochs * math.ceil(len(questions) / options.batch)
    judge.train()
    step = 0
    for _ in range(options.epochs):
        random.shuffle(questions)
        for start in range(0, len(questions), options.batch):
            chosen = [choose(question) for question in questions[start : start + options.batch]]
            same = [random.sample(q["rows"], min(KEPT, len(q["rows"]))) for q in random.sample(kept, min(1, len(kept)))]
            scores = score(judge, [row for rows in chosen + same for row in rows]).split([len(rows) for rows in chosen + same])
            loss = sum(loss_of_question(*each) for each in zip(scores, chosen)) / len(chosen)
            loss = loss + sum(loss_of_change(*each) for each in zip(scores[len(chosen) :], same))
            for group in optimiser.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / 40) * max(0.02, 1 - step / steps)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimiser.step()
            step += 1
            decay = min(0.99, step / (step + 10))
            with torch.no_grad():
                for mean, now in zip(average.parameters(), judge.parameters()):
                    mean.mul_(decay).add_(now, alpha=1 - decay)
            if step % 10 == 0:
                print(f"step {step} of {steps}: loss {float(loss):.3f}", flush=True)
    # A share of the weights before keeps the order among candidates of other kinds of text.
    with torch.no_grad():
        for mean, old in zip(average.parameters(), before.parameters()):
            mean.mul_(1 - options.share).add_(old, alpha=options.share)
    save(average, model, options.out)


if __name__ == "__main__":
    main()
