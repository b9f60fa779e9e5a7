import { escapeLine } from "../../shared/command/escape-controls.js";
import { rules, type ValidationRuleId, type ValidationSeverity } from "./rules.js";
import type { ValidationFinding } from "./validation-report.js";

/** Member names and indices from the message down. */
export type MessagePath = readonly (string | number)[];

/** Reports a finding about the current message. */
export type Report = (rule: ValidationRuleId, path: MessagePath, message: string, link?: string) => void;

const mostFindings = 1_000;

/** Collects findings up to a limit, and counts all of them. */
export class FindingCollector {
  readonly kept: ValidationFinding[] = [];
  readonly counts: Record<ValidationSeverity, number> = { error: 0, warning: 0, note: 0 };

  /** @param prefix the place of the message in its batch */
  at(line: number, prefix: MessagePath = []): Report {
    return (rule, path, message, link) => {
      const { severity } = rules[rule];
      this.counts[severity]++;
      if (this.kept.length >= mostFindings) return;
      const place = pathText([...prefix, ...path]);
      this.kept.push({
        rule,
        severity,
        line,
        path: place,
        message: escapeLine(message, 400),
        ...(link !== undefined && { link }),
      });
    };
  }
}

function pathText(path: MessagePath): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return escapeLine(`$${steps.join("")}`, 300);
}
