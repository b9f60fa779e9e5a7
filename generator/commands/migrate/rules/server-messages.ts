import { type CallExpression, Node, type PropertyAccessExpression } from "ts-morph";
import { type FileRewriter, receiverOf, replaced } from "../file-rewriter.js";
import { argumentsText, isAwaitedByMember } from "./context-members.js";
import { askForLogging, contextAround, questionKey } from "./context-of.js";
import { messageArguments, messageParts } from "./message-argument.js";
import { notificationHandlerAround } from "./notification-handler.js";
import { renameOptions } from "./request-options.js";
import type { Rule } from "./rule.js";

const changes: Readonly<Record<string, string>> = {
  sendToolListChanged: "tools",
  sendResourceListChanged: "resources",
  sendPromptListChanged: "prompts",
};

/** Rewrites what servers send, and what they know about a client, to the context of the request. */
export const serverMessages: Rule = {
  id: "server-messages",
  summary:
    "`server.elicitInput`, `sendLoggingMessage`, `getClientCapabilities`, `server.server.sendResourceUpdated` and others become members of the context, or of the server.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee)) return;
      const owner = rewriter.officialType(callee.getExpression());
      if (owner === "Server" || owner === "McpServer") rewriteCall(rewriter, node, callee, owner);
    });
  },
};

function rewriteCall(
  rewriter: FileRewriter,
  call: CallExpression,
  callee: PropertyAccessExpression,
  owner: "Server" | "McpServer",
): void {
  const [server, name] = [callee.getExpression(), callee.getName()];
  const [argument] = call.getArguments();
  if (ofNotification(rewriter, call, name)) return;
  const context = contextAround(rewriter, call);
  switch (name) {
    case "sendResourceUpdated":
      if (owner === "Server") rewriter.change(replaced(withoutPromise(call), updatedOf(server, argument)));
      return;
    case "sendToolListChanged":
    case "sendResourceListChanged":
    case "sendPromptListChanged":
      if (owner === "Server")
        rewriter.change(
          replaced(
            withoutPromise(call),
            `${mcpServerOf(server) ?? ""}${mcpServerOf(server) === undefined ? `${server.getText()}.notifyChanged({ kind: "${changes[name] ?? ""}" })` : `.${name}()`}`,
          ),
        );
      return;
    case "sendLoggingMessage":
      return ofLog(rewriter, call, context, argument);
    case "getClientCapabilities":
    case "getClientVersion":
      if (context === undefined)
        rewriter.todo(
          call,
          "ask in a callback: context.client.capabilities and context.client.info",
          "the-start-of-a-connection",
        );
      else
        rewriter.change(replaced(call, `${context}.client.${name === "getClientVersion" ? "info" : "capabilities"}`));
      return;
    case "elicitInput":
    case "createMessage":
    case "listRoots":
      return ofQuestion(rewriter, call, context, name);
    case "notification": {
      const parts = messageParts(argument);
      if (!parts) rewriter.todo(call, "call context.notify(method, params)", "replace-members");
      else if (context !== undefined) rewriter.change(replaced(call, `${context}.notify(${messageArguments(parts)})`));
      else
        rewriter.change(
          replaced(
            call,
            `Promise.all([...${lowLevel(server, owner)}.connections].map((connection) => connection.notify(${messageArguments(parts)})))`,
          ),
        );
      return;
    }
    case "request":
    case "ping":
      rewriter.todo(
        call,
        "requests to a client need its connection: context.connection.request(method, params)",
        "replace-members",
      );
      return;
    case "createElicitationCompletionNotifier":
      if (context === undefined)
        rewriter.todo(call, "call context.connection.completeElicitation(id)", "replace-members");
      else
        rewriter.change(
          replaced(call, `async () => ${context}.connection.completeElicitation(${argument?.getText() ?? ""})`),
        );
      return;
    case "isConnected":
      rewriter.change(replaced(call, `${server.getText()}.server.connections.size > 0`));
      return;
  }
}

/** Questions of a handler of a notification. Returns whether the call is one, also if it is rewritten in a later pass. */
function ofNotification(rewriter: FileRewriter, call: CallExpression, name: string): boolean {
  if (name !== "getClientCapabilities" && name !== "listRoots") return false;
  const handler = notificationHandlerAround(call);
  if (handler?.kind === "incomplete") rewriter.change(handler.edit);
  else if (handler?.kind === "rewritten" && name === "getClientCapabilities")
    rewriter.change(replaced(call, `${handler.context}.session?.capabilities`));
  else if (handler?.kind === "rewritten") {
    const method = rewriter.string("roots/list");
    const request = `${handler.context}.connection.request(${method}, undefined)`;
    if (isTypeScript(rewriter)) rewriter.use("@mcpwright/runtime/server", "ListRootsResult", true);
    const awaited = call.getParent();
    if (Node.isAwaitExpression(awaited) && isTypeScript(rewriter))
      rewriter.change(replaced(awaited, `(await ${request}) as ListRootsResult`));
    else rewriter.change(replaced(call, isTypeScript(rewriter) ? `(${request} as Promise<ListRootsResult>)` : request));
  }
  return handler !== undefined;
}

function isTypeScript({ file }: FileRewriter): boolean {
  return /\.[cm]?tsx?$/.test(file.getFilePath());
}

/** `server.server` is the low-level server of an `McpServer`. */
function mcpServerOf(server: Node): string | undefined {
  return Node.isPropertyAccessExpression(server) && server.getName() === "server" ? receiverOf(server) : undefined;
}

function lowLevel(server: Node, owner: "Server" | "McpServer"): string {
  return owner === "McpServer" ? `${server.getText()}.server` : server.getText();
}

function updatedOf(server: Node, argument: Node | undefined): string {
  const owner = mcpServerOf(server);
  const params = argument?.getText() ?? "";
  if (owner !== undefined) return `${owner}.sendResourceUpdated(${params})`;
  const uri = Node.isObjectLiteralExpression(argument) ? params.slice(1).replace(/^\s*/, "") : `...${params} }`;
  return `${server.getText()}.notifyChanged({ kind: "resources", ${uri})`;
}

/** Changes are announced without a promise: a `.catch(…)` behind the call goes. */
function withoutPromise(call: CallExpression): Node {
  const access = call.getParent();
  const caught =
    Node.isPropertyAccessExpression(access) && access.getName() === "catch" ? access.getParent() : undefined;
  return Node.isCallExpression(caught) ? caught : call;
}

function ofLog(
  rewriter: FileRewriter,
  call: CallExpression,
  context: string | undefined,
  argument: Node | undefined,
): void {
  const literal =
    Node.isObjectLiteralExpression(argument) && !argument.getProperties().some(Node.isSpreadAssignment)
      ? argument
      : undefined;
  const value = (name: string): string | undefined => {
    const member = literal?.getProperty(name);
    if (Node.isPropertyAssignment(member)) return member.getInitializer()?.getText();
    return Node.isShorthandPropertyAssignment(member) ? member.getName() : undefined;
  };
  const [level, data, logger] = [value("level"), value("data"), value("logger")];
  if (context === undefined || level === undefined || data === undefined)
    rewriter.todo(
      call,
      "log in a handler: context.log(level, data); afterwards context.connection.notify",
      "replace-members",
    );
  else {
    askForLogging(rewriter, call);
    const text = `${context}.log(${[level, data, ...(logger === undefined ? [] : [logger])].join(", ")})`;
    rewriter.change(replaced(call, isAwaitedByMember(call) ? `Promise.resolve(${text})` : text));
  }
}

function ofQuestion(rewriter: FileRewriter, call: CallExpression, context: string | undefined, name: string): void {
  const member = { elicitInput: "elicit", createMessage: "sample", listRoots: "listRoots" }[name] ?? name;
  const key = questionKey(call, name === "listRoots" ? "roots" : member);
  const [params, options] = call.getArguments();
  if (options) renameOptions(rewriter, options);
  if (context === undefined || key === undefined) {
    rewriter.todo(
      call,
      `ask in a callback: context.${member}(key, params), with a key that is unique in it`,
      "questions-to-the-user",
    );
    return;
  }
  const text = argumentsText(rewriter.string(key), name === "listRoots" ? undefined : params, options);
  rewriter.change(replaced(call, `${context}.${member}(${text})`));
}
