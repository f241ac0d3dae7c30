import {
  forceCenter,
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import { useMemo, useState } from 'preact/hooks'
import { go, href } from '../state/route.js'
import { plural } from '../state/words.js'

export interface GraphNode {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly degree: number
  readonly isHub: boolean
}
export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly type: string
}

interface Placed extends SimulationNodeDatum {
  readonly node: GraphNode
}

const WIDTH = 820
const HEIGHT = 560
const SETTLE_MS = 300
const MAX_TICKS = 260

/** Where nodes were drawn: those that are known keep their places when more are added. */
const known = new Map<string, { readonly x: number; readonly y: number }>()

/** Places the nodes before anything is drawn, so that nothing drifts. */
function place(
  self: string,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, { readonly x: number; readonly y: number }> {
  const placed = nodes.map((node): Placed => {
    const before = known.get(node.id)
    if (node.id === self) return { node, x: WIDTH / 2, y: HEIGHT / 2, fx: WIDTH / 2, fy: HEIGHT / 2 }
    return before === undefined ? { node } : { node, ...before, fx: before.x, fy: before.y }
  })
  const links: SimulationLinkDatum<Placed>[] = edges.map(({ from, to }) => ({ source: from, target: to }))
  const simulation = forceSimulation(placed)
    .force(
      'link',
      forceLink<Placed, SimulationLinkDatum<Placed>>(links)
        .id(({ node }) => node.id)
        .distance(150)
        .strength(0.5),
    )
    .force('charge', forceManyBody().strength(-620))
    .force('collide', forceCollide(46))
    .force('center', forceCenter(WIDTH / 2, HEIGHT / 2).strength(0.02))
    .force('x', forceX(WIDTH / 2).strength(0.03))
    .force('y', forceY(HEIGHT / 2).strength(0.06))
    .stop()
  const began = performance.now()
  for (let tick = 0; tick < MAX_TICKS && performance.now() - began < SETTLE_MS; tick++) simulation.tick()
  const inside = (value: number, most: number, margin: number): number => Math.min(most - margin, Math.max(margin, value))
  const found = new Map(placed.map(({ node, x = 0, y = 0 }) => [node.id, { x: inside(x, WIDTH, 84), y: inside(y, HEIGHT, 30) }]))
  for (const [id, at] of found) known.set(id, at)
  return found
}

const addressOf = (node: GraphNode): string => (node.kind === 'fact' ? href('fact', { id: node.id }) : href('entity', { id: node.id }))
const shownAs = ({ label, isHub, degree }: GraphNode): string => `${short(label)}${isHub ? ` (${degree})` : ''}`
const short = (label: string): string => (label.length > 26 ? `${label.slice(0, 25)}…` : label)

/** A neighbourhood. The list beside it says the same. */
export function Graph({
  self,
  nodes,
  edges,
}: {
  readonly self: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}) {
  const places = useMemo(() => place(self, nodes, edges), [self, nodes, edges])
  const [chosen, setChosen] = useState(self)
  const at = (id: string) => places.get(id) ?? { x: 0, y: 0 }

  /** To the nearest node in the direction of an arrow key. */
  const step = (event: KeyboardEvent, from: string): void => {
    const [dx, dy] = DIRECTIONS[event.key] ?? [0, 0]
    if (dx === 0 && dy === 0) return
    event.preventDefault()
    const here = at(from)
    const nearest = nodes
      .filter(({ id }) => id !== from)
      .map(({ id }) => ({
        id,
        along: (at(id).x - here.x) * dx + (at(id).y - here.y) * dy,
        far: Math.hypot(at(id).x - here.x, at(id).y - here.y),
      }))
      .filter(({ along, far }) => along > far * 0.5)
      .sort((a, b) => a.far - b.far)[0]
    if (nearest !== undefined) document.querySelector<SVGElement>(`[data-node="${CSS.escape(nearest.id)}"]`)?.focus()
  }

  const near = edges.filter(({ from, to, type }) => (from === chosen || to === chosen) && !AUTOMATIC.has(type))
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label={`Neighbourhood of ${plural(nodes.length, 'node')}; arrow keys move`}
    >
      {edges.map(({ from, to, type }) => (
        <line
          key={`${from} ${to} ${type}`}
          class={from === chosen || to === chosen ? 'near' : ''}
          x1={at(from).x}
          y1={at(from).y}
          x2={at(to).x}
          y2={at(to).y}
        />
      ))}
      {near.slice(0, 12).map(({ from, to, type }) => (
        <text
          key={`${from} ${to} ${type}`}
          class="rel"
          text-anchor="middle"
          x={(at(from).x + at(to).x) / 2}
          y={(at(from).y + at(to).y) / 2 - 3}
        >
          {type.toLowerCase().replaceAll('_', ' ')}
        </text>
      ))}
      {nodes.map((node) => (
        <a
          key={node.id}
          href={addressOf(node)}
          data-node={node.id}
          aria-label={`${shownAs(node)}: ${node.label}, ${plural(node.degree, 'relation')}`}
          onFocus={() => setChosen(node.id)}
          onMouseEnter={() => setChosen(node.id)}
          onKeyDown={(event) => step(event, node.id)}
          onClick={(event) => {
            event.preventDefault()
            go(addressOf(node))
          }}
        >
          <g
            class={`node${node.id === self ? ' self' : ''}${node.isHub ? ' hub' : ''}`}
            transform={`translate(${at(node.id).x} ${at(node.id).y})`}
          >
            {node.kind === 'fact' ? (
              <rect x="-6" y="-6" width="12" height="12" rx="3" />
            ) : (
              <circle r={node.id === self ? 10 : node.isHub ? 12 : 7} />
            )}
            <text text-anchor="middle" y={node.id === self ? 26 : 22}>
              {shownAs(node)}
            </text>
          </g>
        </a>
      ))}
    </svg>
  )
}

/** Relations that follow from texts say nothing that the other end does not. */
const AUTOMATIC = new Set(['MENTIONS_ENTITY', 'SIMILAR_TO'])

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
