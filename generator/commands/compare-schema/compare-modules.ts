import type { Corrections } from "../../shared/fidelity/corrections.js";
import { lossyRules, type LossyRule } from "../../shared/fidelity/lossy-rules.js";
import { zodRules } from "../../shared/fidelity/zod-rules.js";
import type { Declaration, SourceModule } from "../../shared/model/source.js";
import { DiagnosticCollector } from "../../pipeline/passes/diagnostic-collector.js";
import { expandDeclarations } from "../../pipeline/passes/expand-declarations.js";
import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { changesBetween, type Change } from "./changes.js";
import { findMissingCommonParams } from "./common-params.js";
import { explainFindings } from "./explain-findings.js";
import { traceLossyRules } from "./lossy-steps.js";
import { findOrderedUnions } from "./ordered-unions.js";
import { memberPath } from "../../shared/model/print-type-expression.js";
import type { CompareSchemaFinding, ExplanationCount } from "./compare-schema-report.js";

/** Facts about a revision in addition to its two files. */
export interface KnownFacts {
  readonly corrections?: Corrections;
  /** Types whose numbers the specification's text restricts to integers. */
  readonly integers: ReadonlySet<string>;
  /** What the printer of schema.json loses; none when both files are TypeScript. Default: the rules of the specification's printer. */
  readonly rules?: readonly LossyRule[];
}

/**
 * All findings about two modules, sorted by type, path and rule.
 * @throws DiagnosticError when schema.ts does not resolve
 */
export function compareModules(
  written: SourceModule,
  json: SourceModule,
  known: KnownFacts,
): readonly CompareSchemaFinding[] {
  const { rules = lossyRules } = known;
  const ts = expanded(written);
  // Those of extensions lead to types of the revision, which are not in the file.
  const unions = known.rules ? [] : findOrderedUnions(ts);
  const { printed, flat, steps } = traceLossyRules(ts, rules);
  const [said, expected, found] = [named(flat), named(printed), named(json)];
  const names = new Set([...ts.declarations.map(({ name }) => name), ...found.keys()]);
  const differences = [...names].flatMap((name) => {
    const [before, after] = [expected.get(name), found.get(name)];
    const rest = before || after ? changesBetween(before, after) : [];
    const whole = rest.length > 0 ? changesBetween(said.get(name), after) : [];
    return explainFindings(
      name,
      steps.get(name) ?? [],
      rest.map((change) => asWritten(change, whole)),
      known.integers,
    );
  });
  const { corrections = { "number-as-integer": [] } } = known;
  const all = [
    ...withCorrections(differences, corrections),
    ...findMissingCommonParams(printed, json, corrections),
    ...unions,
  ];
  return (rules.length > 0 ? all : all.map(betweenSchemas))
    .map((finding) => [sortKey(finding), finding] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, finding]) => finding);
}

/** Between two files of one syntax, there is nothing to explain. */
function betweenSchemas(finding: CompareSchemaFinding): CompareSchemaFinding {
  return {
    ...finding,
    explanation: { ...finding.explanation, sentence: "The two files state different facts." },
    consequence: "mcpwright generates from its own file; to use the other one, pass it to generate or vendor.",
  };
}

/** The official printer writes out generic types, too. */
function expanded(module: SourceModule): SourceModule {
  const collector = new DiagnosticCollector(false);
  const result = expandDeclarations(module, collector);
  if (collector.errors.length > 0) throw new DiagnosticError(collector.errors);
  return result;
}

/** Counts the findings per explanation. */
export function countExplanations(findings: readonly CompareSchemaFinding[]): readonly ExplanationCount[] {
  return ids.flatMap((id) => {
    const explained = findings.filter(({ explanation }) => explanation.id === id);
    const [first] = explained;
    if (!first) return [];
    return [
      { ...first.explanation, findings: explained.length, types: new Set(explained.map(({ type }) => type)).size },
    ];
  });
}

const ruleIds = new Set([...lossyRules, ...zodRules].map(({ id }) => id));
const ids: readonly string[] = [...ruleIds, "common-params", "union-ordered", "unexplained"];

/** The differences with the texts of schema.ts instead of the results of the rules. */
function asWritten(change: Change, whole: readonly Change[]): Change {
  const written = whole.find(({ path, aspect }) => path === change.path && aspect === change.aspect);
  return written ? { ...change, before: { ...change.before, text: written.before.text } } : change;
}

function sortKey({ type, path, explanation }: CompareSchemaFinding): string {
  return [type, path, String(ids.indexOf(explanation.id)).padStart(2, "0")].join("\0");
}

function named({ declarations }: SourceModule): ReadonlyMap<string, Declaration> {
  return new Map(declarations.map((declaration) => [declaration.name, declaration]));
}

/** Adds the corrections of the official file to the findings. */
function withCorrections(
  findings: readonly CompareSchemaFinding[],
  corrections: Corrections,
): readonly CompareSchemaFinding[] {
  const places = new Map<string, string>(
    (["number-as-integer", "null-dropped"] as const).flatMap((id) =>
      (corrections[id] ?? []).map((pointer) => [`${id} ${placeOf(pointer)}`, pointer] as const),
    ),
  );
  return findings.map((finding) => {
    const pointer = places.get(`${finding.explanation.id} ${finding.type} ${finding.path}`);
    return pointer === undefined ? finding : { ...finding, correction: `${finding.explanation.id}: ${pointer}` };
  });
}

/** `Type path` of a place in schema.json. Alternatives have the place of their union. */
function placeOf(pointer: string): string {
  const [type = "", ...keys] = pointer.split("/");
  let path = "";
  for (let at = 0; at < keys.length; at++) {
    switch (keys[at]) {
      case "properties":
        path = memberPath(path, keys[++at] ?? "");
        break;
      case "items":
        path += "[]";
        break;
      case "additionalProperties":
        path += "[key]";
        break;
      default:
        // `anyOf/1` and `type/0`.
        at++;
    }
  }
  return `${type} ${path}`;
}
