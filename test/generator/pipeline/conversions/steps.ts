import { buildStep, type BuiltStep } from "../../../../generator/pipeline/conversions/build-step.js";
import { emitConversions } from "../../../../generator/pipeline/emit/conversions.js";
import { format } from "../../../../generator/pipeline/format/format.js";
import type { ConversionFacts } from "../../../../generator/shared/model/overlay.js";
import { build, spec } from "../passes/build.js";

/** The facts of an overlay entry, without the link to the specification. */
export type Facts = Readonly<Record<string, Omit<ConversionFacts[string], "spec">>>;

const methods = { client: { do: { capability: null, spec } } };

/** A step between two schemas that differ in what `type Params` requires. */
export function stepOf(older: string, newer: string, facts: Facts = {}, direction: "up" | "down" = "down"): BuiltStep {
  const [r1, r2] = [older, newer].map((declarations) => {
    const schema = `interface DoRequest { method: "do"; params: Params } interface DoResult {} type ClientRequest = DoRequest; ${declarations}`;
    return build(schema, { own: { methods } }).model;
  });
  if (!r1 || !r2) throw new Error("expected two models");
  const own = Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, { spec, ...fact }]));
  const stated = { neighbour: "r1", strict: true, up: {}, down: {}, [direction]: own };
  return buildStep({ ...r1, revision: "r1" }, r2, direction, stated, (revision, pointer) => ({
    file: `${revision}.json:${pointer.join(".")}`,
    line: 1,
    column: 1,
  }));
}

/** How the params are converted: kind of the row, its losses, and the functions as printed. */
export async function show({ step, errors, findings }: BuiltStep): Promise<string> {
  const row = step.rows.find(({ part }) => part === "params");
  const idle = { ...step, rows: [], functions: [] };
  const { functions } = emitConversions({ up: idle, down: step }, (name) => name.endsWith("Beside"));
  const code = await format("x.ts", functions.join("\n"));
  return [
    `${row?.kind}${row?.instead === undefined ? "" : `: ${row.instead}`}`,
    ...(row?.losses ?? []).map(({ kind, at, text }) => `- ${kind} ${at}: ${text}`),
    ...[...errors, ...findings].map(({ id, span, message }) => `! ${id} ${span?.file ?? ""}: ${message}`),
    code,
  ]
    .join("\n")
    .trim();
}
