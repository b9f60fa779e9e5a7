import type { CompareSchemaFinding } from "./compare-schema-report.js";
import type { Change } from "./changes.js";
import { describeConsequence } from "./consequence.js";
import type { LossyStep } from "./lossy-steps.js";

/**
 * The findings of one type.
 * @param steps the changes of the lossy rules
 * @param rest differences between schema.json and the result of the rules, with the texts of schema.ts
 */
export function explainFindings(
  type: string,
  steps: readonly LossyStep[],
  rest: readonly Change[],
  integers: ReadonlySet<string>,
): readonly CompareSchemaFinding[] {
  const unexplained = rest.flatMap(({ path, aspect, before, after }): readonly CompareSchemaFinding[] => {
    const first = steps.find((step) => step.path === path && step.aspect === aspect)?.before ?? before;
    // A rule that was not applied here, so that both files agree.
    if (first.key === after.key) return [];
    return [
      {
        type,
        path,
        schemaTs: first.text,
        schemaJson: after.text,
        explanation: { kind: "unexplained", id: "unexplained", sentence: "No lossy rule makes this of schema.ts." },
        consequence: "Find out which of the two files is right before you rely on either.",
      },
    ];
  });
  const kept = steps.filter((step) => !rest.some((change) => overrules(change, step)));
  const explained = kept.map((step): CompareSchemaFinding => {
    const chain = kept.filter(({ path, aspect }) => path === step.path && aspect === step.aspect);
    return {
      type,
      path: step.path,
      schemaTs: (chain[0] ?? step).before.text,
      schemaJson: (chain.at(-1) ?? step).after.text,
      explanation: { kind: "rule", id: step.rule.id, sentence: step.rule.sentence },
      consequence: describeConsequence(step, type, integers),
    };
  });
  return [...explained, ...unexplained];
}

/** Whether schema.json contradicts a rule's change at that place. */
function overrules(change: Change, step: LossyStep): boolean {
  if (change.path === step.path && change.aspect === step.aspect) return true;
  switch (change.aspect) {
    case "declaration":
      return change.after.key === "" || !step.aspect.startsWith("tag ");
    case "presence":
      return change.path === step.path || isInside(step.path, change.path);
    case "index":
    case "type":
      return isInside(step.path, change.path);
    default:
      return false;
  }
}

function isInside(path: string, outer: string): boolean {
  if (outer === "") return path !== "";
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
