import {
  type CallExpression,
  Node,
  type PropertyAccessExpression,
  type ShorthandPropertyAssignment,
  type VariableDeclaration,
} from "ts-morph";
import {
  doneMark,
  type Edit,
  type FileRewriter,
  indentOf,
  inserted,
  isMarked,
  receiverOf,
  replaced,
} from "../file-rewriter.js";
import { revisionOfMethod } from "../official-messages.js";
import { constantMessage, messageArguments, messageParts } from "./message-argument.js";
import { isOwnMethodCall } from "./own-methods.js";
import { renameOptions } from "./request-options.js";
import type { Rule } from "./rule.js";
import { literalOf } from "./wrap-shapes.js";

/** Methods of clients whose last argument is the options. */
const calls: ReadonlySet<string> = new Set([
  "callTool",
  "listTools",
  "listResources",
  "listResourceTemplates",
  "listPrompts",
  "getPrompt",
  "readResource",
  "complete",
  "subscribeResource",
  "unsubscribeResource",
  "setLoggingLevel",
  "ping",
  "connect",
  "request",
]);

/** Rewrites the calls of clients. */
export const clientCalls: Rule = {
  id: "client-calls",
  summary:
    "`client.request({ method, params }, schema)` becomes `client.request(method, params)`; options of requests get their names here.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isVariableDeclaration(node)) unwrapPrior(rewriter, node);
      if (Node.isShorthandPropertyAssignment(node)) castResponses(rewriter, node);
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || rewriter.officialType(callee.getExpression()) !== "Client")
        return;
      if (isMarked(node) || isOwnMethodCall(rewriter, node)) return;
      rewriteCall(rewriter, node, callee);
    });
  },
};

function rewriteCall(rewriter: FileRewriter, call: CallExpression, callee: PropertyAccessExpression): void {
  const args = call.getArguments();
  const name = callee.getName();
  if (calls.has(name))
    for (const argument of args.slice(name === "callTool" ? 1 : 0))
      if (name !== "request" || !messageParts(argument)) renameOptions(rewriter, argument);
  switch (name) {
    case "callTool":
      if (args[2] && args[1] && !isSchema(args[1]))
        rewriter.todo(call, "callTool takes no schema of a result: check the result yourself", "replace-members");
      if (args[1] && isSchema(args[1]))
        rewriter.change({
          start: args[0]?.getEnd() ?? args[1].getStart(),
          end: args[2] ? args[2].getStart() : args[1].getEnd(),
          text: args[2] ? ", " : "",
        });
      break;
    case "request":
      rewriteRequest(rewriter, call, callee);
      break;
    case "notification": {
      const parts = messageParts(args[0]);
      if (parts) rewriter.change(replaced(call, `${receiverOf(callee)}.connection.notify(${messageArguments(parts)})`));
      else rewriter.todo(call, "call client.connection.notify(method, params)", "replace-members");
      break;
    }
    case "discover":
      rewriter.change(replaced(call, `${receiverOf(callee)}.request(${rewriter.string("server/discover")})`));
      break;
    case "getProtocolEra":
      rewriteEra(rewriter, call, callee);
      break;
    case "connect":
      renamePrior(rewriter, args[1]);
      break;
    case "listen":
      if (rewriteListen(rewriter, call, callee)) break;
      rewriter.todo(call, "use watchChanges(client, { lists, resources }) or client.onChanged", "replace-members");
      break;
  }
}

function rewriteRequest(rewriter: FileRewriter, call: CallExpression, callee: PropertyAccessExpression): void {
  const [message, ...rest] = call.getArguments();
  const constant = constantMessage(message);
  const parts = constant?.parts ?? messageParts(message);
  if (!message || parts?.name === undefined || revisionOfMethod(parts.name) === undefined) {
    if (Node.isStringLiteral(message)) return;
    rewriter.todo(
      call,
      "requests of your own methods need defineMethods; others are client.request(method, params)",
      "replace-members",
    );
    return;
  }
  const schema = rest[0] && isSchema(rest[0]) ? rest.shift() : undefined;
  const [given, ...others] = rest;
  if (others.length > 0 || (given && !schema && !literalOf(given))) {
    rewriter.todo(call, "request takes the options, and no schema of the result: check it yourself", "replace-members");
    return;
  }
  const text = given && parts.params === undefined ? `${parts.method}, undefined` : messageArguments(parts);
  const edits: Edit[] = [inserted(callee.getEnd(), doneMark), replaced(message, text)];
  // The type of a whole message has members that the runtime adds.
  if (constant?.type) edits.push({ start: constant.type.start, end: constant.type.end, text: "" });
  if (schema)
    edits.push({ start: message.getEnd(), end: given ? given.getStart() : schema.getEnd(), text: given ? ", " : "" });
  rewriter.change(...edits);
}

/** `{ inputResponses }` of a record of any values, which official clients send unchecked. */
function castResponses(rewriter: FileRewriter, member: ShorthandPropertyAssignment): void {
  const declaration = member.getValueSymbol()?.getValueDeclaration();
  const type = Node.isVariableDeclaration(declaration) ? declaration.getTypeNode()?.getText() : undefined;
  if (member.getName() !== "inputResponses" || !/^Record<string, unknown>(?: \| undefined)?$/.test(type ?? "")) return;
  const isSent = member.getAncestors().some((one) => {
    const callee = Node.isCallExpression(one) ? one.getExpression() : undefined;
    return Node.isPropertyAccessExpression(callee) && rewriter.officialType(callee.getExpression()) === "Client";
  });
  if (!isSent) return;
  rewriter.use("@mcpwright/runtime/client", "InputResponses", true);
  rewriter.change(replaced(member, "inputResponses: inputResponses as InputResponses"));
}

/** A schema of a result; `undefined` stands in for one. */
function isSchema(node: Node): boolean {
  return /^(?:undefined|(?:\w+\.)?[A-Z]\w*Schema)$/.test(node.getText());
}

/** `const prior: PriorDiscovery = { kind: "modern", discover }` becomes `const prior = discover`. */
function unwrapPrior(rewriter: FileRewriter, declaration: VariableDeclaration): void {
  const value = declaration.getInitializer();
  const annotation = declaration.getTypeNode();
  if (annotation?.getText() !== "PriorDiscovery" || !Node.isObjectLiteralExpression(value)) return;
  const discover = value.getProperty("discover");
  const member = Node.isShorthandPropertyAssignment(discover)
    ? discover.getNameNode()
    : Node.isPropertyAssignment(discover) && discover.getInitializer();
  if (!member) return;
  const end = annotation.getEnd();
  rewriter.change({ start: declaration.getNameNode().getEnd(), end, text: "" }, replaced(value, member.getText()));
}

/** `prior: { kind: "modern", discover }` becomes `prior: discover`; of a legacy server, only the era is known. */
function renamePrior(rewriter: FileRewriter, options: Node | undefined): void {
  const member = Node.isObjectLiteralExpression(options) ? options.getProperty("prior") : undefined;
  const prior = Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
  if (!member || !Node.isObjectLiteralExpression(prior)) return;
  const discover = prior.getProperty("discover");
  if (Node.isPropertyAssignment(discover)) rewriter.change(replaced(prior, discover.getInitializerOrThrow().getText()));
  else if (Node.isShorthandPropertyAssignment(discover)) rewriter.change(replaced(prior, discover.getName()));
  else if (/kind:\s*["']legacy["']/.test(prior.getText()))
    rewriter.change(replaced(member, `era: ${rewriter.string("handshake")}`));
}

const lists: Readonly<Record<string, string>> = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
};

/** `const sub = await client.listen({ … });`, also in a branch of a conditional expression, with literal members. */
function rewriteListen(rewriter: FileRewriter, call: CallExpression, callee: PropertyAccessExpression): boolean {
  const [filter, ...others] = call.getArguments();
  const outer = call.getParent()?.getParent();
  const choice = Node.isConditionalExpression(outer) && outer.getCondition() !== call.getParent() ? outer : undefined;
  const declaration = choice ? choice.getParent() : outer;
  const statement =
    Node.isVariableDeclaration(declaration) && !declaration.getTypeNode()
      ? declaration.getVariableStatement()
      : undefined;
  if (
    !Node.isAwaitExpression(call.getParent()) ||
    !Node.isVariableDeclaration(declaration) ||
    !Node.isIdentifier(declaration.getNameNode()) ||
    !statement ||
    !Node.isObjectLiteralExpression(filter) ||
    others.length > 0
  )
    return false;
  const watched: string[] = [];
  const members: string[] = [];
  for (const member of filter.getProperties()) {
    if (!Node.isPropertyAssignment(member)) return false;
    const list = Object.hasOwn(lists, member.getName()) ? lists[member.getName()] : undefined;
    const value = member.getInitializerOrThrow().getText();
    if (member.getName() === "resourceSubscriptions") members.push(`resources: ${value}`);
    else if (list === undefined || value !== "true") return false;
    else watched.push(rewriter.string(list));
  }
  if (watched.length > 0) members.unshift(`lists: [${watched.join(", ")}]`);
  rewriter.use("@mcpwright/runtime/client", "watchChanges");
  const watch = `watchChanges(${callee.getExpression().getText()}, { ${members.join(", ")} })`;
  rewriter.change(
    replaced(call.getParentOrThrow(), watch),
    inserted(statement.getEnd(), `\n${indentOf(statement)}await ${declaration.getName()}${choice ? "?" : ""}.granted;`),
  );
  return true;
}

/** `client.getProtocolEra() === "modern"`. */
function rewriteEra(rewriter: FileRewriter, call: CallExpression, callee: PropertyAccessExpression): void {
  const era = `${receiverOf(callee)}.era`;
  const comparison = call.getParent();
  const other = Node.isBinaryExpression(comparison)
    ? comparison.getLeft() === call
      ? comparison.getRight()
      : comparison.getLeft()
    : undefined;
  const value = Node.isStringLiteral(other) ? eras[other.getLiteralValue()] : undefined;
  if (other && value !== undefined) rewriter.change(replaced(call, era), replaced(other, rewriter.string(value)));
  else rewriter.todo(call, 'client.era is "stateless" for "modern" and "handshake" for "legacy"', "replace-members");
}

export const eras: Readonly<Record<string, string>> = { modern: "stateless", legacy: "handshake" };
