import { assertNever } from "../../shared/assert-never.js";
import { structOf } from "../../shared/model/definitions.js";
import type {
  Definition,
  EntriesModel,
  MemberModel,
  NumberBounds,
  ProtocolModel,
  TypeModel,
} from "../../shared/model/protocol.js";

/**
 * The shapes of all revisions as one list of rows, in which equal shapes share a row.
 * A row is a list that begins with a letter; numbers in it are the indices of other rows.
 */
export interface ShapeTable {
  readonly rows: readonly Row[];
  /** Index of a definition's row, by revision and name. */
  index(revision: string, name: string): number;
}

export type Row = readonly (string | number | boolean | null)[];

/**
 * Collects the shapes of `models`; the order of rows follows that of the models and their definitions.
 * @param wanted the definitions to collect, with the shapes that they refer to. Default: all
 */
export function shapeTable(
  models: readonly ProtocolModel[],
  wanted: (model: ProtocolModel) => readonly string[] = ({ definitions }) => definitions.map(({ name }) => name),
): ShapeTable {
  const collector = new Collector();
  const indices = new Map(models.map((model) => [model.revision, collector.add(model, wanted(model))]));
  return {
    rows: collector.rows,
    index: (revision, name) => {
      const index = indices.get(revision)?.get(name);
      if (index === undefined) throw new TypeError(`no shape of ${name} in ${revision}`);
      return index;
    },
  };
}

/** Whether only `check-further.ts` knows a row: the interpreter without it has the letters of the protocol. */
export function isFurther(row: Row): boolean {
  const plain = { s: 1, n: 3, i: 3, a: 4, A: 4 }[String(row[0])] ?? Infinity;
  return row.length > plain || String(row[0]).length > 1;
}

/** How many recursive shapes can be open at once; a thousand would overflow the stack. */
const maxDepth = 100;

class Collector {
  readonly rows: Row[] = [];
  private readonly known = new Map<string, number>();

  add(model: ProtocolModel, wanted: readonly string[]): ReadonlyMap<string, number> {
    const definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
    const placed = new Map<string, number>();
    const waiting: (() => void)[] = [];
    let depth = 0;
    const reference = (name: string): number => {
      const done = placed.get(name);
      if (done !== undefined) return done;
      const definition = definitions.get(name);
      if (!definition) throw new TypeError(`no definition ${name}`);
      // A recursive shape needs its index before its content is known, so it does not share a row.
      if (definition.recursive) {
        const index = this.rows.push([]) - 1;
        placed.set(name, index);
        const fill = (): void => {
          const row = this.row(typeOf(definition), reference, true);
          this.rows[index] = row.length === 1 && typeof row[0] === "number" ? ["&", row[0]] : row;
        };
        if (depth === maxDepth) waiting.push(fill);
        else {
          depth++;
          fill();
          depth--;
        }
        return index;
      }
      const index = this.place(this.row(typeOf(definition), reference, false));
      placed.set(name, index);
      return index;
    };
    for (const name of wanted) {
      reference(name);
      for (let fill = waiting.pop(); fill; fill = waiting.pop()) fill();
    }
    return placed;
  }

  /** The index of a row; equal rows share one. A row with a single number is a reference to that row. */
  private place(row: Row): number {
    const [only] = row;
    if (row.length === 1 && typeof only === "number") return only;
    const identity = JSON.stringify(row);
    const known = this.known.get(identity);
    if (known !== undefined) return known;
    const index = this.rows.push(row) - 1;
    this.known.set(identity, index);
    return index;
  }

  private row(type: TypeModel, reference: (name: string) => number, bounded: boolean): Row {
    const inner = (nested: TypeModel): number => this.place(this.row(nested, reference, bounded));
    const mark = (letter: string): string => (bounded ? letter.toUpperCase() : letter);
    switch (type.kind) {
      case "string":
        return trimmed(["s", type.minLength ?? null, type.maxLength ?? null, type.pattern ?? null]);
      case "boolean":
        return ["b"];
      case "null":
        return ["0"];
      case "unknown":
        return ["u"];
      case "object":
        return ["o"];
      case "number":
      case "integer":
        return trimmed([type.kind === "number" ? "n" : "i", ...numberCells(type)]);
      case "literal":
        return ["=", type.value];
      case "enum":
        return type.open ? ["s"] : ["=", ...type.values];
      case "reference":
        return [reference(type.name)];
      case "array":
        return trimmed([
          mark("a"),
          inner(type.items),
          type.minItems ?? null,
          type.maxItems ?? null,
          type.uniqueItems ?? null,
        ]);
      case "map":
        return [mark("m"), inner(type.values)];
      case "struct":
        return this.struct(type, inner, mark);
      case "union":
        return type.exclusive ? ["one", ...type.members.map(inner)] : this.union(type, inner);
      case "never":
        return ["never"];
      case "all":
        return ["all", ...type.members.map(inner)];
      case "not":
        return ["not", inner(type.type)];
      case "entries":
        return this.entries(type, inner, bounded ? "Entries" : "entries");
      default:
        return assertNever(type);
    }
  }

  /** `["t", rest, required, name, row, …]`: `rest` is the row of members not listed, -1 when any are allowed. */
  private struct(
    { members, index }: { readonly members: readonly MemberModel[]; readonly index?: TypeModel },
    inner: (type: TypeModel) => number,
    mark: (letter: string) => string,
  ): Row {
    const required = members.filter(({ optional }) => !optional);
    const fields = [...required, ...members.filter(({ optional }) => optional)].flatMap(({ name, type }) => [
      name,
      inner(type),
    ]);
    const rest = !index || index.kind === "unknown" ? -1 : inner(index);
    return [mark("t"), rest, required.length, ...fields];
  }

  /** `["entries", minimum, maximum, names, rest, count, listed, …, pattern, row, …]`: `count` is that of listed names. */
  private entries(
    { patterns, rest, listed, names, minProperties, maxProperties }: EntriesModel,
    inner: (type: TypeModel) => number,
    letter: string,
  ): Row {
    return [
      letter,
      minProperties ?? null,
      maxProperties ?? null,
      names ? inner(names) : -1,
      rest ? inner(rest) : -1,
      listed.length,
      ...listed,
      ...patterns.flatMap(({ pattern, type }) => [pattern, inner(type)]),
    ];
  }

  private union(type: Extract<TypeModel, { kind: "union" }>, inner: (type: TypeModel) => number): Row {
    const rows = type.members.map(inner);
    switch (type.choice.kind) {
      case "tag": {
        const { member, cases } = type.choice;
        return ["?", member, ...cases.flatMap((values, at) => values.flatMap((value) => [value, rows[at] ?? -1]))];
      }
      case "presence":
        return ["!", ...type.choice.members.flatMap((member, at) => [member, rows[at] ?? -1])];
      case "jsonType":
      case "ordered":
        return ["|", ...rows];
    }
  }
}

function typeOf(definition: Definition): TypeModel {
  return definition.kind === "alias" ? definition.type : structOf(definition);
}

function numberCells(bounds: NumberBounds): Row {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds;
  return [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].map((bound) => bound ?? null);
}

function trimmed(row: Row): Row {
  const last = row.findLastIndex((cell) => cell !== null);
  return row.slice(0, last + 1);
}
