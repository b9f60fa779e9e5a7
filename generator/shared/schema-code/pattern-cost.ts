import { CharacterSets } from "./character-sets.js";
import { parsePattern, type PatternNode } from "./pattern-syntax.js";

/** How many characters an unrolled pattern may have, and how many pairs of them are compared. */
const limits = { positions: 3000, pairs: 200_000 };

/**
 * Why an engine that backtracks may need exponential time for a pattern; undefined when it cannot. That is the case when
 * a repeated part can match the same text in two ways.
 */
export function backtrackingRisk(pattern: string): string | undefined {
  const graph = new PositionGraph();
  try {
    graph.add(parsePattern(pattern));
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
  return graph.risk(new CharacterSets(pattern));
}

class Refused extends Error {}

/** What is needed to join a part of a pattern with its neighbours. */
interface Part {
  readonly isOptional: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const empty: Part = { isOptional: true, first: [], last: [] };

/** The characters of a pattern, and which can follow which; a pair counts once for each way. */
class PositionGraph {
  private readonly sources: string[] = [];
  private readonly follow: number[][] = [];

  add(node: PatternNode): Part {
    switch (node.kind) {
      case "position":
        return empty;
      case "backreference":
        throw new Refused("it has a backreference");
      case "look":
        this.add(node.of);
        return empty;
      case "character": {
        if (this.sources.length >= limits.positions) throw new Refused("it is too large to be checked");
        const at = this.sources.push(node.source) - 1;
        this.follow.push([]);
        return { isOptional: false, first: [at], last: [at] };
      }
      case "choice": {
        const parts = node.items.map((item) => this.add(item));
        return {
          isOptional: parts.some(({ isOptional }) => isOptional),
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
        };
      }
      case "sequence":
        return node.items.map((item) => this.add(item)).reduce((left, right) => this.join(left, right), empty);
      case "repeat":
        return this.repeat(node);
    }
  }

  private join(left: Part, right: Part): Part {
    for (const at of left.last) this.follow[at]?.push(...right.first);
    return {
      isOptional: left.isOptional && right.isOptional,
      first: left.isOptional ? [...left.first, ...right.first] : left.first,
      last: right.isOptional ? [...left.last, ...right.last] : right.last,
    };
  }

  private repeat({ of, least, most }: Extract<PatternNode, { kind: "repeat" }>): Part {
    let whole = empty;
    for (let count = 0; count < least; count++) whole = this.join(whole, this.add(of));
    if (most === Infinity) {
      const part = this.add(of);
      for (const at of part.last) this.follow[at]?.push(...part.first);
      return this.join(whole, { ...part, isOptional: true });
    }
    // Each further repetition is possible only after the one before it.
    let rest = empty;
    for (let count = least; count < most; count++) rest = { ...this.join(this.add(of), rest), isOptional: true };
    return this.join(whole, rest);
  }

  risk(sets: CharacterSets): string | undefined {
    const loops = components(
      this.sources.map((_, at) => at),
      (at) => this.follow[at] ?? [],
    );
    for (const loop of loops) {
      const inside = new Set(loop);
      const next = (at: number): readonly number[] => (this.follow[at] ?? []).filter((other) => inside.has(other));
      if (loop.some((at) => new Set(next(at)).size < next(at).length)) return "a repetition contains a repetition";
      if (loop.length ** 2 > limits.pairs) return "it is too large to be checked";
      if (this.isAmbiguous(loop, next, sets)) return "a repeated part can match the same text in two ways";
    }
    return undefined;
  }

  /** Whether two different ways lead from a character of a loop back to it, along the same text. */
  private isAmbiguous(loop: readonly number[], next: (at: number) => readonly number[], sets: CharacterSets): boolean {
    const size = this.sources.length;
    const pairs = loop.flatMap((one) => loop.map((other) => one * size + other));
    const overlap = (one: number, other: number): boolean =>
      sets.overlap(this.sources[one] ?? "", this.sources[other] ?? "");
    const after = (pair: number): readonly number[] =>
      next(Math.floor(pair / size)).flatMap((one) =>
        next(pair % size).flatMap((other) => (overlap(one, other) ? [one * size + other] : [])),
      );
    const isSame = (pair: number): boolean => Math.floor(pair / size) === pair % size;
    return components(pairs, after).some((found) => found.some(isSame) && !found.every(isSame));
  }
}

/** The groups of nodes that lead to each other and to themselves (Tarjan's algorithm, without recursion). */
function components(
  nodes: readonly number[],
  next: (node: number) => readonly number[],
): readonly (readonly number[])[] {
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const found: number[][] = [];
  for (const start of nodes) {
    if (order.has(start)) continue;
    const path: { readonly node: number; readonly targets: readonly number[]; at: number }[] = [];
    const enter = (node: number): void => {
      order.set(node, order.size);
      lowest.set(node, order.size - 1);
      open.push(node);
      isOpen.add(node);
      path.push({ node, targets: next(node), at: 0 });
    };
    enter(start);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const target = step.targets[step.at++];
      const low = lowest.get(step.node) ?? 0;
      if (target !== undefined) {
        if (!order.has(target)) enter(target);
        else if (isOpen.has(target)) lowest.set(step.node, Math.min(low, order.get(target) ?? 0));
        continue;
      }
      path.pop();
      const outer = path.at(-1);
      if (outer) lowest.set(outer.node, Math.min(lowest.get(outer.node) ?? 0, low));
      if (low !== order.get(step.node)) continue;
      const group = open.splice(open.lastIndexOf(step.node));
      for (const node of group) isOpen.delete(node);
      if (group.length > 1 || next(step.node).includes(step.node)) found.push(group);
    }
  }
  return found;
}
