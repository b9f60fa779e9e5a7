import { binding, code, literal, type Code } from "../../shared/code/code.js";
import type { ProtocolModel, Side } from "../../shared/model/protocol.js";
import { receivedTypes } from "./received-types.js";
import { isFurther, shapeTable, type Row } from "./shape-table.js";

/** A row in which a row that nothing else refers to stands in the place of its index. */
type NestedRow = readonly (Row[number] | NestedRow)[];

interface Nested {
  readonly rows: readonly NestedRow[];
  /** The new index of each shared row, by its index in the table. */
  readonly index: ReadonlyMap<number, number>;
}

interface SideIssuesView {
  readonly side: Code;
  readonly name: Code;
  /** Whether some rows need `check-further.ts`. */
  readonly further: boolean;
  /** The table as JSON, in several literals. */
  readonly lines: readonly Code[];
}

/** `server-issues.ts` and `client-issues.ts`: the shapes of one side's predicates in all revisions. */
export function emitSideIssues(side: Side, models: readonly ProtocolModel[]): SideIssuesView {
  const types = new Map(models.map((model) => [model.revision, receivedTypes(side, model)]));
  const table = shapeTable(models, ({ revision }) => types.get(revision) ?? []);
  const roots = models.map(({ revision }) => (types.get(revision) ?? []).map((name) => table.index(revision, name)));
  const nested = nest(table.rows, new Set(roots.flat()));
  const shapes = roots.map((indices) => indices.map((index) => nested.index.get(index) ?? -1));
  const revisions = models.map(({ revision }, at) => `${JSON.stringify(revision)}:${JSON.stringify(shapes[at])}`);
  const rows = nested.rows.map((row) => JSON.stringify(row));
  return {
    side: binding(side),
    name: binding(side === "server" ? "findServerIssues" : "findClientIssues"),
    further: table.rows.some(isFurther),
    lines: [
      code`"[["`,
      ...rows.map((row, at) => literal(at === rows.length - 1 ? row : `${row},`)),
      code`"],{"`,
      ...revisions.map((entry, at) => literal(at === revisions.length - 1 ? entry : `${entry},`)),
      code`"}]"`,
    ],
  };
}

/** Puts letters, and rows that are used once, in the place of their indices. */
function nest(rows: readonly Row[], roots: ReadonlySet<number>): Nested {
  const uses = new Map<number, number>();
  for (const row of rows) for (const at of references(row)) use(uses, row[at] as number);
  const index = new Map<number, number>();
  const made: NestedRow[] = [];
  const isShared = (at: number): boolean => {
    const row = rows[at] ?? [];
    return roots.has(at) || isRecursive(row) || ((uses.get(at) ?? 0) > 1 && row.length > 1);
  };
  const nestedRow = (at: number): NestedRow => {
    const row = rows[at] ?? [];
    const cells: NestedRow[number][] = [...row];
    for (const cell of references(row)) {
      const target = row[cell] as number;
      if (isShared(target)) cells[cell] = place(target);
      else cells[cell] = rows[target]?.length === 1 ? (rows[target][0] ?? null) : nestedRow(target);
    }
    return cells;
  };
  const waiting: number[] = [];
  // A recursive row refers to itself, so it needs its index before its content.
  const place = (at: number): number => {
    const known = index.get(at);
    if (known !== undefined) return known;
    const placed = made.push([]) - 1;
    index.set(at, placed);
    waiting.push(at);
    return placed;
  };
  for (const root of roots) place(root);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) made[place(at)] = nestedRow(at);
  return sorted(made, index, roots);
}

/** Sorts the rows, because similar rows that are neighbours compress better. */
function sorted(rows: readonly NestedRow[], index: ReadonlyMap<number, number>, roots: ReadonlySet<number>): Nested {
  const last = new Set([...roots].map((root) => index.get(root)));
  const order = rows
    .map((row, at) => ({ row, at, text: `${last.has(at) ? 1 : 0}${JSON.stringify(row)}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
  const moved = new Map(order.map(({ at }, to) => [at, to]));
  const withIndices = (row: NestedRow): NestedRow => {
    const cells = [...row];
    for (const cell of references(row)) {
      const target = row[cell];
      if (typeof target === "number") cells[cell] = moved.get(target) ?? -1;
      else if (typeof target === "object" && target) cells[cell] = withIndices(target);
    }
    return cells;
  };
  return {
    rows: order.map(({ row }) => withIndices(row)),
    index: new Map([...index].map(([at, placed]) => [at, moved.get(placed) ?? -1])),
  };
}

/** Letters in upper case mark recursive types. */
function isRecursive([letter]: Row): boolean {
  return typeof letter === "string" && /[A-Z]/.test(letter);
}

function use(uses: Map<number, number>, at: number): void {
  uses.set(at, (uses.get(at) ?? 0) + 1);
}

/** The positions of the cells of a row that are indices of other rows. */
function references([letter, ...cells]: NestedRow): readonly number[] {
  const every = (step: number, from: number): number[] =>
    cells.flatMap((_, at) => (at >= from && (at - from) % step === 0 ? [at + 1] : []));
  switch (letter) {
    case "t":
    case "T":
      return [...(cells[0] === -1 ? [] : [1]), ...every(2, 3)];
    case "a":
    case "A":
    case "m":
    case "M":
    case "&":
      return [1];
    case "|":
    case "one":
    case "all":
    case "not":
      return every(1, 0);
    case "entries":
    case "Entries": {
      const after = 5 + (cells[4] as number);
      return [3, 4].filter((at) => cells[at - 1] !== -1).concat(every(2, after + 1));
    }
    case "?":
      return every(2, 2);
    case "!":
      return every(2, 1);
    default:
      return [];
  }
}
