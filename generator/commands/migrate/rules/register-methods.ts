import { type CallExpression, Node } from "ts-morph";
import { type Edit, type FileRewriter, inserted, replaced } from "../file-rewriter.js";
import type { Rule } from "./rule.js";
import { literalOf, zodName } from "./wrap-shapes.js";

/** Registers with the methods of 2.x, which take one configuration. */
export const registerMethods: Rule = {
  id: "register-methods",
  summary: "`tool`, `resource` and `prompt` of 1.x become `registerTool`, `registerResource` and `registerPrompt`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || !/^(?:tool|prompt|resource)$/.test(callee.getName())) return;
      if (rewriter.officialType(callee.getExpression()) !== "McpServer") return;
      const edits = editsOf(rewriter, node, callee.getName());
      const name = `register${callee.getName().replace(/^./, (first) => first.toUpperCase())}`;
      if (edits) rewriter.change(replaced(callee.getNameNode(), name), ...edits);
      else rewriter.todo(node, `call ${name}, which takes a configuration`, "from-sdk-1x");
    });
  },
};

function editsOf(rewriter: FileRewriter, call: CallExpression, method: string): readonly Edit[] | undefined {
  const [name, ...rest] = call.getArguments();
  const callback = rest.pop();
  if (!name || !callback || [...call.getArguments()].some(Node.isSpreadElement)) return undefined;
  if (method === "resource") return ofResource(rest);
  const members: (readonly [name: string, value: Node, wrap: boolean])[] = [];
  if (rest[0]?.getType().isString() === true || rest[0]?.getType().isStringLiteral() === true) {
    const [description] = rest.splice(0, 1);
    if (description) members.push(["description", description, false]);
  }
  if (method === "prompt") {
    if (rest[0]) members.push(["argsSchema", rest[0], true]);
  } else if (rest.length === 2 && rest[0] && rest[1]) {
    members.push(["inputSchema", rest[0], true], ["annotations", rest[1], false]);
  } else if (rest[0]) {
    const kind = kindOf(rest[0]);
    if (kind === undefined) return undefined;
    members.push(kind === "shape" ? ["inputSchema", rest[0], true] : ["annotations", rest[0], false]);
  }
  if (members.length === 0) return [inserted(name.getEnd(), ", {}")];
  return members.flatMap(([member, value, wrap], index) => {
    const wrapper = wrap ? `${zodName(rewriter)}.object(` : "";
    return [
      inserted(value.getStart(), `${index === 0 ? "{ " : ""}${member}: ${wrapper}`),
      inserted(value.getEnd(), `${wrap ? ")" : ""}${index === members.length - 1 ? " }" : ""}`),
    ];
  });
}

/** `resource(name, uri, callback)` has no metadata. */
function ofResource(rest: readonly Node[]): readonly Edit[] | undefined {
  const [uri, metadata] = rest;
  return uri && (metadata ? [] : [inserted(uri.getEnd(), ", {}")]);
}

const hints: ReadonlySet<string> = new Set([
  "title",
  "readOnlyHint",
  "destructiveHint",
  "idempotentHint",
  "openWorldHint",
]);

/** Whether the only object is a shape or annotations, by its members. */
function kindOf(value: Node): "shape" | "annotations" | undefined {
  const literal = literalOf(value);
  if (!literal) return undefined;
  const members = literal.getProperties();
  const areHints = members.every(
    (member) =>
      Node.isPropertyAssignment(member) &&
      hints.has(member.getName()) &&
      /^(?:true|false|["'`])/.test(member.getInitializerOrThrow().getText()),
  );
  return areHints && members.length > 0 ? "annotations" : "shape";
}
