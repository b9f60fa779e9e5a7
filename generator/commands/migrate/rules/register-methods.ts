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
  const members = membersOf(method, rest);
  if (!members) return undefined;
  if (members.length === 0) return [inserted(name.getEnd(), ", {}")];
  return members.flatMap(([member, value], index) => {
    const isWrapped = !isMemberShape(value) && member.endsWith("Schema");
    return [
      inserted(
        value.getStart(),
        `${index === 0 ? "{ " : ""}${member}: ${isWrapped ? `${zodName(rewriter)}.object(` : ""}`,
      ),
      inserted(value.getEnd(), `${isWrapped ? ")" : ""}${index === members.length - 1 ? " }" : ""}`),
    ];
  });
}

type Member = readonly [name: "description" | "inputSchema" | "argsSchema" | "annotations", value: Node];

/** The arguments between the name and the callback, as members of the configuration; undefined if their meaning is not known. */
function membersOf(method: string, given: readonly Node[]): readonly Member[] | undefined {
  const [first, ...rest] = given;
  if (!first) return [];
  if (isText(first)) {
    const members = rest[0] ? membersOf(method, rest) : [];
    return members && [["description", first], ...members];
  }
  const kind = kindOf(first);
  if (kind === undefined || rest.length > 1) return undefined;
  if (method === "prompt") return [["argsSchema", first]];
  const [annotations] = rest;
  if (annotations)
    return [
      ["inputSchema", first],
      ["annotations", annotations],
    ];
  return [[kind === "shape" ? "inputSchema" : "annotations", first]];
}

/** Whether a value is known to be a string: not by its name, since values of other packages have no type here. */
function isText(value: Node): boolean {
  const type = value.getType();
  return type.isString() || type.isStringLiteral() || Node.isTemplateExpression(value);
}

/** `schema.shape`, which becomes the schema. */
function isMemberShape(value: Node): boolean {
  return Node.isPropertyAccessExpression(value) && value.getName() === "shape";
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
  if (isMemberShape(value)) return "shape";
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
