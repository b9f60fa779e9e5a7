import type { CallToolResult } from "../../authoring.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { ForwardedRequest } from "../forward/forwarded-request.js";
import { quote } from "./escape-hidden.js";
import type { GatewayReview } from "./gateway-review.js";
import { renderFindings } from "./render-findings.js";
import { reviewResult, type ReviewFinding } from "./review.js";
import { type ItemFindings, reviewSurface } from "./review-surface.js";

export interface ReviewingOptions {
  /** Whether to review also results of calls, prompts and resources, which costs time for each of them. Default: `false`. */
  readonly results?: boolean;
}

/** Findings that one report contains. */
const maxLines = 5;
/** Reports of one server. More are not reported: a server could fill the log. */
const maxReports = 1_000;

/**
 * Reviews names, descriptions, schemas and instructions of the servers of a gateway for characters that people do not see, or that look like
 * others, and reports them to `onerror`: once for each item, and again when the findings change. Of results, each kind of finding is reported
 * once per tool, prompt or resource. Nothing is changed or withheld.
 * @example
 * ```ts
 * const gateway = createGateway({ servers, review: reviewing({ results: true }), onerror: console.error });
 * ```
 */
export function reviewing({ results = false }: ReviewingOptions = {}): GatewayReview {
  const reported = new Map<string, Set<string>>();

  function reportOnce(server: string, key: string, message: string, report: (error: Error) => void): void {
    let known = reported.get(server);
    if (!known) reported.set(server, (known = new Set()));
    if (known.size >= maxReports || known.has(key)) return;
    known.add(key);
    report(new SdkError("HIDDEN_TEXT", message));
    if (known.size === maxReports)
      report(new SdkError("HIDDEN_TEXT", `${maxReports} reports of hidden text; further ones are left out`));
  }

  return {
    reviewSurface(server, surface, report) {
      for (const item of reviewSurface(surface)) {
        const message = `${labelOf(item)} has text that people do not see as it is: ${linesOf(item.findings)}`;
        reportOnce(server, message, message, report);
      }
    },
    ...(results && {
      reviewResult(server: string, request: ForwardedRequest, result: object, report: (error: Error) => void) {
        const findings = reviewResult(result as CallToolResult);
        if (findings.length === 0) return;
        const kinds = new Set(findings.map(({ kind }) => kind));
        const source = `the result of ${request.method}${subjectOf(request)}`;
        for (const kind of kinds) {
          const found = findings.filter((finding) => finding.kind === kind);
          const message = `${source} has text that people do not see as it is: ${linesOf(found)}`;
          reportOnce(server, `${source} ${kind}`, message, report);
        }
      },
    }),
  };
}

function labelOf({ kind, name }: ItemFindings): string {
  return kind === "instructions" ? "its instructions" : `its ${kind} ${quote(name)}`;
}

function linesOf(findings: readonly ReviewFinding[]): string {
  const lines = renderFindings(findings.slice(0, maxLines));
  const more = findings.length - maxLines;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function subjectOf({ params }: ForwardedRequest): string {
  const name = params["name"] ?? params["uri"];
  return typeof name === "string" ? ` ${quote(name)}` : "";
}
