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
interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly type: string
}

interface PlacedNode extends SimulationNodeDatum {
  readonly node: GraphNode
}

/** On a narrow screen the picture has fewer units, so that its words stay readable. */
const isNarrow = (): boolean => window.matchMedia('(max-width: 45rem)').matches
const SIZES = { wide: { width: 820, height: 560 }, narrow: { width: 420, height: 480 } } as const
/** With more nodes, facts show their text on hover; the list next to the graph has all of them. */
const MAX_LABELLED = 14
const SETTLE_MS = 300
const MAX_TICKS = 260

interface Point {
  readonly x: number
  readonly y: number
}

/** Where nodes were drawn around an entity: those that are known keep their places when more are added. */
const known = new Map<string, Point>()
let knownFor = ''

/** Places the nodes before anything is drawn, so that nothing drifts. */
function place(
  self: string,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  { width, height }: { readonly width: number; readonly height: number },
): ReadonlyMap<string, Point> {
  if (knownFor !== `${self} ${width}`) known.clear()
  knownFor = `${self} ${width}`
  const placed = nodes.map((node): PlacedNode => {
    const before = known.get(node.id)
    if (node.id === self) return { node, x: width / 2, y: height / 2, fx: width / 2, fy: height / 2 }
    return before === undefined ? { node } : { node, ...before, fx: before.x, fy: before.y }
  })
  const links: SimulationLinkDatum<PlacedNode>[] = edges.map(({ from, to }) => ({ source: from, target: to }))
  const simulation = forceSimulation(placed)
    .force(
      'link',
      forceLink<PlacedNode, SimulationLinkDatum<PlacedNode>>(links)
        .id(({ node }) => node.id)
        .distance(({ source, target }) => width / ([source, target].some(isFact) && nodes.length > MAX_LABELLED ? 7 : 3.6))
        .strength(0.5),
    )
    .force('charge', forceManyBody().strength(nodes.length > MAX_LABELLED ? -260 : -900))
    .force(
      'collide',
      forceCollide<PlacedNode>(({ node }) => (node.kind === 'fact' && nodes.length > MAX_LABELLED ? 14 : width / 16)),
    )
    .force('center', forceCenter(width / 2, height / 2).strength(0.02))
    .force('x', forceX(width / 2).strength(0.02))
    .force('y', forceY(height / 2).strength(0.06))
    .stop()
  const began = performance.now()
  for (let tick = 0; tick < MAX_TICKS && performance.now() - began < SETTLE_MS; tick++) simulation.tick()
  const inside = (value: number, most: number, margin: number): number => Math.min(most - margin, Math.max(margin, value))
  const stretch = known.size > 0 ? { x: 1, y: 1 } : stretchOf(placed, width, height)
  const found = new Map(
    placed.map(({ node, x = 0, y = 0 }) => [
      node.id,
      {
        x: inside(width / 2 + (x - width / 2) * stretch.x, width, MARGIN_X),
        y: inside(height / 2 + (y - height / 2) * stretch.y, height, MARGIN_Y),
      },
    ]),
  )
  for (const [id, at] of found) known.set(id, at)
  return found
}

/** Relations are named near their other end, where fewer lines cross. */
const LABEL_AT = 0.7
const MARGIN_X = 92
const MARGIN_Y = 32
const MAX_STRETCH = 2.2

/** How much wider and higher the drawing may be, so that it fills its frame. */
function stretchOf(placed: readonly PlacedNode[], width: number, height: number): Point {
  const reach = (of: (one: PlacedNode) => number): number => Math.max(1, ...placed.map((one) => Math.abs(of(one))))
  const scaleTo = (room: number, taken: number): number => Math.min(MAX_STRETCH, Math.max(0.5, room / taken))
  return {
    x: scaleTo(
      width / 2 - MARGIN_X,
      reach(({ x = 0 }) => x - width / 2),
    ),
    y: scaleTo(
      height / 2 - MARGIN_Y,
      reach(({ y = 0 }) => y - height / 2),
    ),
  }
}

/** Ends of a link are nodes from the first step of the simulation on. */
const isFact = (end: SimulationLinkDatum<PlacedNode>['source']): boolean => typeof end === 'object' && end.node.kind === 'fact'

const addressOf = (node: GraphNode): string => (node.kind === 'fact' ? href('fact', { id: node.id }) : href('entity', { id: node.id }))
const shownAs = ({ label, isHub, degree }: GraphNode): string => `${short(label)}${isHub ? ` (${degree})` : ''}`
const short = (label: string): string => (label.length > 26 ? `${label.slice(0, 25)}…` : label)

/** A neighbourhood. The list next to it has the same contents. */
export function Graph({
  self,
  nodes,
  edges,
}: {
  readonly self: string
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}) {
  const size = isNarrow() ? SIZES.narrow : SIZES.wide
  const places = useMemo(() => place(self, nodes, edges, size), [self, nodes, edges, size])
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

  const near = edges.filter(({ from, to, type }) => (from === chosen || to === chosen) && !AUTOMATIC_TYPES.has(type))
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${size.width} ${size.height}`}
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
      {near.slice(0, 12).map(({ from, to, type }) => {
        const [here, there] = [at(chosen), at(from === chosen ? to : from)]
        return (
          <text
            key={`${from} ${to} ${type}`}
            class="rel"
            text-anchor="middle"
            x={here.x + (there.x - here.x) * LABEL_AT}
            y={here.y + (there.y - here.y) * LABEL_AT - 3}
          >
            {type.toLowerCase().replaceAll('_', ' ')}
          </text>
        )
      })}
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
            class={`node${node.id === self ? ' self' : ''}${node.isHub ? ' hub' : ''}${
              node.kind === 'fact' && nodes.length > MAX_LABELLED ? ' quiet' : ''
            }`}
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
const AUTOMATIC_TYPES = new Set(['MENTIONS_ENTITY', 'SIMILAR_TO'])

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
