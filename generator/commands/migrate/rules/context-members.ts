import {
  type CallExpression,
  Node,
  type PropertyAccessExpression,
  type BindingElement,
  type ObjectBindingPattern,
} from "ts-morph";
import { type Edit, type FileRewriter, inserted, receiverOf, referencesIn, replaced } from "../file-rewriter.js";
import { usesName } from "../used-names.js";
import { askForLogging, questionKey } from "./context-of.js";
import { constantMessage, messageArguments, messageParts } from "./message-argument.js";
import { renameOptions } from "./request-options.js";
import type { Rule } from "./rule.js";

/** Members of `ctx.mcpReq` and their counterparts of the context. */
const renamed: Readonly<Record<string, string>> = {
  id: "requestId",
  method: "method",
  _meta: "_meta",
  signal: "signal",
  log: "log",
  inputResponses: "inputResponses",
};

/** Rewrites the members of contexts of both lines. */
export const contextMembers: Rule = {
  id: "context-members",
  summary:
    "`ctx.mcpReq.signal`, `ctx.mcpReq.notify({ method, params })`, `extra.sendNotification` and others become members of `context`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isPropertyAccessExpression(node)) ofMember(rewriter, node);
      else if (Node.isParameterDeclaration(node) || Node.isVariableDeclaration(node)) {
        const pattern = node.getNameNode();
        if (!Node.isObjectBindingPattern(pattern)) return;
        const type = rewriter.officialType(Node.isVariableDeclaration(node) ? (node.getInitializer() ?? node) : node);
        if (type === "HandlerContext") ofPattern(rewriter, pattern);
        else if (type === "McpReq") rewriter.todo(node, takenApart, "replace-members");
      }
    });
  },
};

const takenApart = "mcpReq has no counterpart: take the context as a whole";

function ofMember(rewriter: FileRewriter, node: PropertyAccessExpression): void {
  const owner = node.getExpression();
  const type = rewriter.officialType(owner);
  if (type === "McpReq" && Node.isPropertyAccessExpression(owner))
    ofRequest(rewriter, node, owner.getExpression().getText(), owner.hasQuestionDotToken() ? "?" : "");
  else if (
    node.getName() === "mcpReq" &&
    type === "HandlerContext" &&
    !Node.isPropertyAccessExpression(node.getParent())
  )
    rewriter.todo(node, takenApart, "replace-members");
  else if (type === "HttpContext") ofHttp(rewriter, node, owner);
  else if (type === "HandlerContext") ofExtra(rewriter, node, owner.getText());
}

/** A member of `ctx.mcpReq`. */
function ofRequest(rewriter: FileRewriter, node: PropertyAccessExpression, owner: string, question: string): void {
  const name = node.getName();
  const call = callOf(node);
  const context = owner + question;
  if (name === "log") askForLogging(rewriter, node);
  if (name === "log" && call && isAwaitedByMember(call))
    rewriter.change(
      inserted(call.getStart(), "Promise.resolve("),
      replaced(node, `${context}.log`),
      inserted(call.getEnd(), ")"),
    );
  else if (Object.hasOwn(renamed, name)) rewriter.change(replaced(node, `${context}.${renamed[name] ?? name}`));
  else if (name === "requestState" && call) {
    const [type] = call.getTypeArguments();
    rewriter.change(
      replaced(call, type ? `(${context}.requestState as ${type.getText()} | undefined)` : `${context}.requestState`),
    );
  } else if (name === "notify" && call) rewriteMessage(rewriter, call, `${context}.notify`, node);
  else if (name === "elicitInput" && call) ask(rewriter, call, context, "elicit");
  else if (name === "requestSampling" && call) ask(rewriter, call, context, "sample");
  else if (name === "send" && call) sendRequest(rewriter, call, context);
  else rewriter.todo(node, `mcpReq.${name} has no counterpart`, "replace-members");
}

/** A member of `ctx.http`. */
function ofHttp(rewriter: FileRewriter, node: PropertyAccessExpression, owner: Node): void {
  const name = node.getName();
  if (name === "authInfo") {
    if (Node.isPropertyAccessExpression(owner)) tokenInfo(rewriter, node, owner.getExpression());
    else rewriter.todo(node, "call tokenInfoOf(context)", "protected-servers");
  }
  if (name !== "req") return;
  const [headers, get] = parents(node, 2);
  const call = Node.isPropertyAccessExpression(get) ? callOf(get) : undefined;
  if (
    Node.isPropertyAccessExpression(headers) &&
    headers.getName() === "headers" &&
    call &&
    Node.isPropertyAccessExpression(get) &&
    get.getName() === "get"
  )
    rewriter.change(
      replaced(
        call,
        `${owner.getText()}?.header(${call
          .getArguments()
          .map((one) => one.getText())
          .join(", ")})`,
      ),
    );
  else rewriter.todo(node, "read headers with context.http?.header(name)", "replace-members");
}

/** A member of the context itself: `sessionId` of both lines, the others of 1.x. */
function ofExtra(rewriter: FileRewriter, node: PropertyAccessExpression, context: string): void {
  const call = callOf(node);
  switch (node.getName()) {
    case "sendNotification":
      if (call) rewriteMessage(rewriter, call, `${context}.notify`, node);
      else rewriter.todo(node, "call context.notify(method, params)", "from-sdk-1x");
      break;
    case "sendRequest":
      if (call) sendRequest(rewriter, call, context);
      else rewriter.todo(node, "call context.elicit, context.sample or context.listRoots", "from-sdk-1x");
      break;
    case "sessionId":
      rewriter.change(replaced(node, `${receiverOf(node)}.session?.id`));
      break;
    case "authInfo":
      tokenInfo(rewriter, node, node.getExpression());
      break;
    case "requestInfo":
      ofRequestInfo(rewriter, node, context);
      break;
    case "closeSSEStream":
    case "closeStandaloneSSEStream":
      if (call) rewriter.change(replaced(call, `${context}.http?.${node.getName().replace("Stream", "")}?.()`));
      else rewriter.change(replaced(node, `${context}.http?.${node.getName().replace("Stream", "")}`));
      break;
    case "taskId":
    case "taskStore":
    case "taskRequestedTtl":
      rewriter.todo(node, "tasks are the option task of a tool, and taskOf(context)", "from-sdk-1x");
      break;
  }
}

/** What is known about the token of a request, of any authorization. */
export function tokenInfo(rewriter: FileRewriter, node: Node, context: Node): void {
  rewriter.use("@mcpwright/runtime/auth/server", "tokenInfoOf");
  rewriter.change(replaced(node, `tokenInfoOf(${context.getText()})`));
}

/** `extra.requestInfo?.headers["name"]`. */
function ofRequestInfo(rewriter: FileRewriter, node: PropertyAccessExpression, context: string): void {
  const [headers, element] = parents(node, 2);
  const argument = Node.isElementAccessExpression(element) ? element.getArgumentExpression() : undefined;
  if (Node.isPropertyAccessExpression(headers) && headers.getName() === "headers" && argument && element)
    rewriter.change(replaced(element, `${context}.http?.header(${argument.getText()})`));
  else rewriter.todo(node, "read headers with context.http?.header(name)", "from-sdk-1x");
}

/** Contexts that a callback takes apart. */
function ofPattern(rewriter: FileRewriter, pattern: ObjectBindingPattern): void {
  for (const element of pattern.getElements()) {
    const name = element.getPropertyNameNode()?.getText() ?? element.getName();
    if (name === "signal" || name === "requestId" || name === "_meta") continue;
    if (name === "sendNotification" && Node.isIdentifier(element.getNameNode())) {
      const edits = renameSender(element);
      if (edits) {
        rewriter.change(...edits);
        continue;
      }
    }
    if (name !== "notify")
      rewriter.todo(element, `take the context as a whole: ${name} has another form`, "replace-members");
  }
}

/** `sendNotification({ method, params })` becomes `notify(method, params)`, if all uses are such calls. */
function renameSender(element: BindingElement): readonly Edit[] | undefined {
  const identifier = element.getNameNode();
  if (!Node.isIdentifier(identifier)) return undefined;
  const scope = element.getFirstAncestor((one) => Node.isFunctionLikeDeclaration(one)) ?? element;
  const name = element.getPropertyNameNode() || usesName(scope, "notify") ? element.getName() : "notify";
  const edits: Edit[] = [replaced(element, name === "notify" ? name : `notify: ${name}`)];
  for (const reference of referencesIn(scope, identifier)) {
    const call = callOf(reference);
    const parts = messageParts(call?.getArguments()[0]);
    if (!call || !parts) return undefined;
    edits.push(replaced(call, `${name}(${messageArguments(parts)})`));
  }
  return edits;
}

function ask(rewriter: FileRewriter, call: CallExpression, context: string, kind: "elicit" | "sample"): void {
  const key = questionKey(call, kind);
  const [params, options] = call.getArguments();
  if (options) renameOptions(rewriter, options);
  if (key === undefined || !params) {
    rewriter.todo(
      call,
      `call context.${kind}(key, params) with a key that is unique in the handler`,
      "questions-to-the-user",
    );
    return;
  }
  rewriter.change(replaced(call, `${context}.${kind}(${argumentsText(rewriter.string(key), params, options)})`));
}

/** Arguments as text, without those that are not given. */
export function argumentsText(...given: readonly (Node | string | undefined)[]): string {
  return given
    .filter((one) => one !== undefined)
    .map((one) => (typeof one === "string" ? one : one.getText()))
    .join(", ");
}

const questions: Readonly<Record<string, "elicit" | "sample" | "listRoots">> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sample",
  "roots/list": "listRoots",
};

/** A request of a handler to the client. */
function sendRequest(rewriter: FileRewriter, call: CallExpression, context: string): void {
  const [message, schema, given] = call.getArguments();
  const parts = messageParts(message) ?? constantMessage(message)?.parts;
  // Without a schema, which 2.x knows by the method, the second argument is the options.
  const options = given ?? (Node.isObjectLiteralExpression(schema) ? schema : undefined);
  if (options) renameOptions(rewriter, options);
  const kind = parts?.name !== undefined && Object.hasOwn(questions, parts.name) ? questions[parts.name] : undefined;
  const key = kind && questionKey(call, kind === "listRoots" ? "roots" : kind);
  if (!parts || key === undefined || kind === undefined) {
    rewriter.todo(
      call,
      "call context.elicit, context.sample or context.listRoots, with a key that is unique in the handler",
      "questions-to-the-user",
    );
    return;
  }
  const params = kind === "listRoots" ? undefined : (parts.params ?? "{}");
  rewriter.change(replaced(call, `${context}.${kind}(${argumentsText(rewriter.string(key), params, options)})`));
}

/** Whether a call is followed by `.then`, `.catch` or `.finally`, although the counterpart returns nothing. */
export function isAwaitedByMember(call: CallExpression): boolean {
  const access = call.getParent();
  return Node.isPropertyAccessExpression(access) && /^(?:then|catch|finally)$/.test(access.getName());
}

/** `notify({ method, params })` becomes `notify(method, params)`. */
export function rewriteMessage(rewriter: FileRewriter, call: CallExpression, callee: string, node: Node): void {
  const parts = messageParts(call.getArguments()[0]);
  if (parts) rewriter.change(replaced(call, `${callee}(${messageArguments(parts)})`));
  else rewriter.todo(node, "pass the method and the params as two arguments", "replace-members");
}

/** The call of a function, also behind parentheses or `!`. */
export function callOf(callee: Node): CallExpression | undefined {
  let [at, parent]: [Node, Node | undefined] = [callee, callee.getParent()];
  while (parent && (Node.isNonNullExpression(parent) || Node.isParenthesizedExpression(parent)))
    [at, parent] = [parent, parent.getParent()];
  return Node.isCallExpression(parent) && parent.getExpression() === at ? parent : undefined;
}

function parents(node: Node, count: number): readonly Node[] {
  const found: Node[] = [];
  for (let at = node.getParent(); at && found.length < count; at = at.getParent())
    if (!Node.isNonNullExpression(at)) found.push(at);
  return found;
}
