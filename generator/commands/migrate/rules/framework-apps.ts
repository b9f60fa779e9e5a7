import { Node, type CallExpression } from "ts-morph";
import { type FileRewriter, indentOf, inserted, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

/** How an application of a framework is made, and which import makes it. */
interface Framework {
  readonly entry: string;
  readonly create: string;
  readonly from: string;
  readonly name: string;
  /** Adds the guard of the entry; `app` is the variable. */
  readonly guard: (app: string, call: string) => readonly string[];
}

const frameworks: Readonly<Record<string, Framework>> = {
  createMcpHonoApp: {
    entry: "@mcpwright/runtime/hono",
    create: "new Hono()",
    from: "hono",
    name: "Hono",
    guard: (app, call) => [`${app}.use(${call});`],
  },
  createMcpExpressApp: {
    entry: "@mcpwright/runtime/express",
    create: "express()",
    from: "express",
    name: "default as express",
    guard: (app, call) => [`${app}.use(${call});`, `${app}.use(express.json());`],
  },
};

/** Makes the applications of web frameworks without a package of the official SDK. */
export const frameworkApps: Rule = {
  id: "framework-apps",
  summary:
    "`createMcpHonoApp()` becomes `new Hono()` with `hostGuard()`; `createMcpExpressApp()` becomes `express()` with it.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const name = rewriter.officialName(node.getExpression()) ?? "";
      const framework = Object.hasOwn(frameworks, name) ? frameworks[name] : undefined;
      if (framework) rewriteApp(rewriter, node, framework);
    });
  },
};

function rewriteApp(
  rewriter: FileRewriter,
  call: CallExpression,
  { entry, create, from, name, guard }: Framework,
): void {
  const declaration = call.getParent();
  const statement = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : undefined;
  const options = guardOptions(call.getArguments()[0]);
  if (!Node.isVariableDeclaration(declaration) || !statement || options === undefined) {
    rewriter.todo(call, `make the application yourself, and use hostGuard of ${entry}`, "web-frameworks");
    return;
  }
  const indent = indentOf(statement);
  rewriter.use(from, name);
  rewriter.use(entry, "hostGuard");
  const lines = guard(declaration.getName(), `hostGuard(${options})`).map((line) => `\n${indent}${line}`);
  rewriter.change(replaced(call, create), inserted(statement.getEnd(), lines.join("")));
}

/** The options of the guard; undefined for those that it does not have. */
function guardOptions(options: Node | undefined): string | undefined {
  if (!options) return "";
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const kept: string[] = [];
  for (const member of options.getProperties()) {
    if (!Node.isPropertyAssignment(member) && !Node.isShorthandPropertyAssignment(member)) return undefined;
    if (member.getName() === "allowedHosts") kept.push(member.getText());
    else if (member.getName() !== "host" || !isLoopback(member)) return undefined;
  }
  return kept.length === 0 ? "" : `{ ${kept.join(", ")} }`;
}

function isLoopback(member: Node): boolean {
  return /:\s*["'](?:127\.0\.0\.1|localhost|::1)["']$/.test(member.getText());
}
