import { visibleLine } from "../../shared/command/visible.js";
import { type RuleId, rules, type Severity } from "./rules.js";

/** Something about one message of a conversation. Texts hold nothing that a terminal would obey. */
export interface ValidationFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** Counted from 1. */
  readonly line: number;
  /** Where in the message: `$.params.arguments`; in a batch `$[1].params`. */
  readonly path: string;
  readonly message: string;
  /** The section of the specification. */
  readonly link?: string;
}

export interface ValidationReport {
  /** The revision it was held against; absent when there was no message to tell it. */
  readonly revision?: string;
  /** Messages that could be read, those in batches one by one. */
  readonly messages: number;
  /** In the order of the lines; no more than 1,000, which `counts` do not stop at. */
  readonly findings: readonly ValidationFinding[];
  readonly counts: Readonly<Record<Severity, number>>;
}

/** Member names and indices from the message down. */
export type Path = readonly (string | number)[];

/** Reports something about the message that is being looked at. */
export type Tell = (rule: RuleId, path: Path, message: string, link?: string) => void;

const mostFindings = 1_000;

/** Keeps findings, and counts those that it no longer keeps. */
export class Findings {
  readonly kept: ValidationFinding[] = [];
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, note: 0 };

  /** @param prefix the place of the message in its batch */
  at(line: number, prefix: Path = []): Tell {
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
        message: visibleLine(message, 400),
        ...(link !== undefined && { link }),
      });
    };
  }
}

function pathText(path: Path): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return visibleLine(`$${steps.join("")}`, 300);
}
