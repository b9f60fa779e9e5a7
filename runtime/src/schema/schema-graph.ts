/** The schemas that one schema applies to a value and to its children. */
export interface Edges {
  /** Schemas that apply to the same value. */
  readonly here: object[];
  /** Schemas of which one applies to the same value: the possible targets of a dynamic reference. */
  readonly either: object[];
  /**
   * Schemas that apply to a child, by key: `.=name` and `#=index` for one property or item, `.*` and `#*` for the others,
   * `.any` and `#any` for possibly every one.
   */
  readonly children: Map<string, object[]>;
}

/**
 * The highest number of schemas that apply along one path through a value of this depth. It is linear in the depth for a
 * list or a tree, and exponential for a schema that applies itself twice to the same child.
 */
export function pathCost(
  edges: ReadonlyMap<object, Edges>,
  order: readonly object[],
  root: object,
  depth: number,
): number {
  const position = new Map(order.map((schema, index) => [schema, index]));
  const positions = (schemas: readonly object[]): number[] => schemas.map((schema) => position.get(schema) ?? -1);
  const rows = order.map((schema) => {
    const { here = [], either = [], children = new Map<string, object[]>() } = edges.get(schema) ?? {};
    const under = (sign: string): number[][] => [
      positions(children.get(`${sign}any`) ?? []),
      ...[...children].filter(([key]) => key.startsWith(sign) && key !== `${sign}any`).map(([, of]) => positions(of)),
    ];
    return { here: positions(here), either: positions(either), objects: under("."), arrays: under("#") };
  });
  let below = new Float64Array(order.length);
  for (let level = 0; level <= depth; level++) {
    // No value is both an object and an array, so schemas for objects and for arrays are not added up.
    const asObject = new Float64Array(order.length);
    const asArray = new Float64Array(order.length);
    for (const [index, { here, either, objects, arrays }] of rows.entries()) {
      asObject[index] = 1 + sum(here, asObject) + worst(either, asObject) + worstChild(objects, below);
      asArray[index] = 1 + sum(here, asArray) + worst(either, asArray) + worstChild(arrays, below);
    }
    const above = asObject.map((cost, index) => Math.max(cost, asArray[index] ?? 0));
    if (above.every((cost, index) => cost === below[index])) break;
    below = above;
  }
  return below[position.get(root) ?? -1] ?? 1;
}

function sum(positions: readonly number[], costs: Float64Array): number {
  return positions.reduce((total, position) => total + (costs[position] ?? 1), 0);
}

function worst(positions: readonly number[], costs: Float64Array): number {
  return positions.reduce((most, position) => Math.max(most, costs[position] ?? 1), 0);
}

function worstChild([any = [], ...others]: readonly (readonly number[])[], below: Float64Array): number {
  return sum(any, below) + others.reduce((most, one) => Math.max(most, sum(one, below)), 0);
}

/** Sorts schemas after those that they apply to the same value; undefined if there is a cycle, which would never end. */
export function applicationOrder(edges: ReadonlyMap<object, Edges>): object[] | undefined {
  const order: object[] = [];
  const state = new Map<object, "open" | "done">();
  for (const start of edges.keys()) {
    const stack = [start];
    for (let schema = stack.at(-1); schema; schema = stack.at(-1)) {
      const seen = state.get(schema);
      if (!seen) state.set(schema, "open");
      else {
        stack.pop();
        if (seen === "open") order.push(schema);
        state.set(schema, "done");
        continue;
      }
      const { here = [], either = [] } = edges.get(schema) ?? {};
      for (const other of [...here, ...either]) {
        const known = state.get(other);
        if (known === "open") return undefined;
        if (!known) stack.push(other);
      }
    }
  }
  return order;
}
