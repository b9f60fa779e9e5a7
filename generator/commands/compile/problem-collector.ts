import { relative } from "node:path";
import type { Node } from "ts-morph";
import { diagnostic, DiagnosticError, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { Span } from "../../shared/model/source.js";

/** Collects the problems of a file, so that all are reported at once. */
export class ProblemCollector {
  private readonly found = new Map<string, Diagnostic>();

  /** @param given the path as the user passed it */
  constructor(
    private readonly file: string,
    private readonly given: string,
  ) {}

  span(node: Node): Span {
    const source = node.getSourceFile();
    const path = source.getFilePath();
    const file = path === this.file ? this.given : relative(process.cwd(), path);
    return { file, ...source.getLineAndColumnAtPos(node.getStart()) };
  }

  type(node: Node, type: string, hint: string): void {
    this.add(diagnostic("compile-unsupported-type", { type, hint }, this.span(node)));
  }

  tag(node: Node, tag: string, problem: string): void {
    this.add(diagnostic("compile-tag", { tag, problem }, this.span(node)));
  }

  tool(node: Node, name: string, problem: string): void {
    this.add(diagnostic("compile-tool", { name, problem }, this.span(node)));
  }

  add(found: Diagnostic): void {
    this.found.set(JSON.stringify([found.span, found.id, found.message]), found);
  }

  /** @throws DiagnosticError with all problems in source order */
  stop(): void {
    if (this.found.size === 0) return;
    const order = [...this.found.values()].sort(
      (a, b) =>
        (a.span?.file ?? "").localeCompare(b.span?.file ?? "", "en") ||
        (a.span?.line ?? 0) - (b.span?.line ?? 0) ||
        (a.span?.column ?? 0) - (b.span?.column ?? 0),
    );
    throw new DiagnosticError(order);
  }
}
