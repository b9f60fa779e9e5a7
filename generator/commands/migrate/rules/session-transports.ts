import {
  type ArrowFunction,
  type CallExpression,
  type FunctionExpression,
  type NewExpression,
  Node,
  type Statement,
  SyntaxKind,
  type VariableDeclaration,
} from "ts-morph";
import {
  type Edit,
  type FileRewriter,
  indentOf,
  inserted,
  referencesIn,
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { joinForks, legacyOptions, makesSame, strictHandlerOf } from "./legacy-forks.js";
import { onlyValue } from "./only-value.js";
import type { Rule } from "./rule.js";
import { keepsState, perClient } from "./server-factories.js";

const transports = /^(?:Node)?StreamableHTTPServerTransport$/;

type Handler = ArrowFunction | FunctionExpression;

/** Serves all sessions with one handler, where a program keeps a transport for each session. */
export const sessionTransports: Rule = {
  id: "session-transports",
  summary:
    "Routes of express that create a `StreamableHTTPServerTransport` for each session or request call one handler of `createMcpHandler`.",
  run(rewriter) {
    const creations = rewriter.file
      .getDescendants()
      .filter(Node.isNewExpression)
      .filter((node) => transports.test(rewriter.officialName(node.getExpression()) ?? ""));
    if (creations.length > 0 && joined(rewriter, creations)) return;
    for (const option of legacyOptions(rewriter))
      rewriter.todo(
        option,
        "createMcpHandler has no option legacy: it serves all revisions of its server",
        "servers-and-clients",
      );
    if (creations.length === 0) return;
    const factories = new Set<string>();
    const handlers = new Set<Handler>();
    const other: Node[] = [];
    for (const creation of creations) {
      const handler = requestHandlerAround(creation);
      const factory = handler && factoryOf(handler, creation);
      if (!handler || factory === undefined) other.push(creation);
      else {
        handlers.add(handler);
        factories.add(factory);
      }
    }
    const [factory] = factories;
    if (other.length > 0 || factories.size !== 1 || factory === undefined) {
      for (const node of creations)
        rewriter.todo(
          node,
          "one handler serves all sessions: pass createMcpHandler(server) to toNodeHandler, or use serveHttp(server)",
          "servers-and-clients",
        );
      return;
    }
    const all = [...handlers, ...handlersThatForward(rewriter, handlers)];
    const checks = all.map((handler) => [handler, otherConditions(handler)] as const);
    if (checks.some(([, conditions]) => conditions.length > 0)) {
      for (const [handler, conditions] of checks)
        for (const condition of conditions)
          rewriter.todo(
            statementOf(handler),
            `keep the check ${condition}, then call one handler of createMcpHandler for all sessions`,
            "servers-and-clients",
          );
      return;
    }
    const [first] = all.map(statementOf).sort((a, b) => a.getStart() - b.getStart());
    if (!first) return;
    rewriter.use("@mcpwright/runtime/server/http", "createMcpHandler");
    rewriter.use("@mcpwright/runtime/node", "toNodeHandler");
    const made = perClientFactory(rewriter, first, factory);
    const declaration = `const mcpHandler = toNodeHandler(createMcpHandler(${made}));\n${indentOf(first)}`;
    for (const handler of all) {
      for (const call of otherCalls(handler, factory))
        rewriter.todo(statementOf(handler), `this route also called ${call}`, "servers-and-clients");
      for (const option of creations.filter((one) => isIn(one, handler)).flatMap(otherOptions))
        rewriter.todo(statementOf(handler), `the transport also had the option ${option}`, "servers-and-clients");
    }
    const edits = [...all.map((handler) => rerouted(rewriter, handler)), unusedRecords(rewriter, all)];
    rewriter.change(inserted(first.getStart(), declaration), ...edits.flat());
  },
};

/**
 * Serves all clients with the handler that a program has for the newest ones, if it keeps transports for the others only. Returns whether
 * it does.
 */
function joined(rewriter: FileRewriter, creations: readonly NewExpression[]): boolean {
  const strict = strictHandlerOf(rewriter);
  if (!strict) return false;
  const handlers = creations.map((creation) => {
    const handler = requestHandlerAround(creation);
    const maker = handler && makerOf(handler, creation);
    return handler && maker !== undefined && makesSame(strict, maker) && otherConditions(handler).length === 0
      ? handler
      : undefined;
  });
  const known = [...new Set(handlers.filter((one) => one !== undefined))];
  if (known.length !== creations.length || creations.some((one) => otherOptions(one).length > 0)) return false;
  const all = [...known, ...handlersThatForward(rewriter, new Set(known))];
  const edits = joinForks(rewriter, strict, all);
  if (edits) rewriter.change(...edits, ...unusedRecords(rewriter, all));
  return edits !== undefined;
}

/** The factory, or a call of `serverPerClient` if its servers have variables of their own. */
function perClientFactory(rewriter: FileRewriter, place: Node, factory: string): string {
  const name = rewriter.file
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .find((one) => one.getText() === factory && one.getParent().getKind() === SyntaxKind.CallExpression);
  const wrapped = name && keepsState(name) ? perClient(rewriter, name) : undefined;
  if (name && wrapped === undefined && keepsState(name))
    rewriter.todo(
      place,
      "wrap the factory: serverPerClient(new McpServer({ name, version }), factory)",
      "replace-members",
    );
  return wrapped === undefined ? factory : `${wrapped}${factory})`;
}

function isIn(node: Node, around: Node): boolean {
  return node.getAncestors().includes(around);
}

/** The route's callback around a node: a function of a request and a response. */
function requestHandlerAround(node: Node): Handler | undefined {
  return node
    .getAncestors()
    .find(
      (one): one is Handler =>
        (Node.isArrowFunction(one) || Node.isFunctionExpression(one)) &&
        one.getParameters().length >= 2 &&
        one.getText().includes(".handleRequest("),
    );
}

/**
 * What makes the server that connects to the transport: the function in `getServer().connect(transport)`, also with a constant between,
 * or the server, if it is made outside of the callback.
 */
function factoryOf(handler: Handler, creation: Node): string | undefined {
  const servers = new Set(connectionsOf(handler, creation).map((one) => serverOf(handler, one)));
  const [server] = servers;
  return servers.size === 1 ? server : undefined;
}

/** The calls of `connect` with the transport. */
function connectionsOf(handler: Handler, creation: Node): readonly CallExpression[] {
  const declaration = creation.getFirstAncestor(
    (one) => Node.isVariableDeclaration(one) || Node.isBinaryExpression(one),
  );
  const name = Node.isVariableDeclaration(declaration)
    ? declaration.getName()
    : Node.isBinaryExpression(declaration)
      ? declaration.getLeft().getText()
      : undefined;
  return handler.getDescendants().filter((one): one is CallExpression => {
    return (
      Node.isCallExpression(one) &&
      one.getExpression().getText().endsWith(".connect") &&
      one.getArguments()[0]?.getText() === name
    );
  });
}

/** The function that makes the servers of a transport, also with arguments. */
function makerOf(handler: Handler, creation: NewExpression): string | undefined {
  const servers = connectionsOf(handler, creation).map((one) => {
    const callee = one.getExpression();
    const server = Node.isPropertyAccessExpression(callee) ? callee.getExpression() : undefined;
    return Node.isCallExpression(server) ? server.getExpression().getText() : undefined;
  });
  const [server] = servers;
  return servers.every((one) => one === server) ? server : undefined;
}

function serverOf(handler: Handler, connection: CallExpression): string | undefined {
  const callee = connection.getExpression();
  let server: Node = Node.isPropertyAccessExpression(callee) ? callee.getExpression() : callee;
  if (Node.isIdentifier(server)) {
    const declared = server.getSymbol()?.getValueDeclaration();
    if (!declared?.getAncestors().includes(handler)) return server.getText();
    const value = Node.isVariableDeclaration(declared) ? declared.getInitializer() : undefined;
    if (!value) return undefined;
    server = value;
  }
  if (!Node.isCallExpression(server) || server.getArguments().length > 0) return undefined;
  return Node.isIdentifier(server.getExpression()) ? server.getExpression().getText() : undefined;
}

/** The other callbacks that pass a request to the transport of a session. */
function handlersThatForward(rewriter: FileRewriter, known: ReadonlySet<Handler>): readonly Handler[] {
  const found = new Set<Handler>();
  for (const node of rewriter.file.getDescendants()) {
    if (!Node.isCallExpression(node) || !node.getExpression().getText().endsWith(".handleRequest")) continue;
    const handler = requestHandlerAround(node);
    if (handler && !known.has(handler)) found.add(handler);
  }
  return [...found];
}

function statementOf(handler: Handler): Statement {
  const statements = handler
    .getAncestors()
    .filter((one): one is Statement => Node.isStatement(one) && !Node.isBlock(one));
  // The outermost statement of the function, or of the file, that registers the route.
  const [inner] = statements;
  if (!inner) throw new Error("a callback is part of a statement");
  return inner;
}

/** Calls of routes that keep transports by session. */
const usual =
  /^(?:connect|handleRequest|get|has|set|delete|close|on|status|json|send|end|writeHead|header|setHeader|type|randomUUID|includes|toString|stringify|parse|log|error|warn|info|debug|isInitializeRequest|String|some|keys|values)$/;

/** Functions that a callback calls for another purpose, which the rewrite would lose. */
function otherCalls(handler: Handler, factory: string): readonly string[] {
  const names = handler.getDescendants().flatMap((node) => {
    if (!Node.isCallExpression(node)) return [];
    const callee = node.getExpression();
    const name = Node.isPropertyAccessExpression(callee) ? callee.getName() : callee.getText();
    return usual.test(name) || name === factory ? [] : [callee.getText()];
  });
  return [...new Set(names)];
}

/** What the conditions of routes that keep transports by session are about. */
const usualNames =
  /session|transport|isInitializeRequest|headersSent|^(?:id|sid|req|request|res|response|body|headers|header|method|get|has|size|undefined|String|Array|isArray|some|error|err|e|Error|message)$/i;
const usualTexts = /^(?:mcp-session-id|POST|GET|DELETE|string|undefined)$/i;

/** Conditions about something else, such as the rights of the user, which the rewrite would lose. */
function otherConditions(handler: Handler): readonly string[] {
  const conditions = handler.getDescendants().flatMap((node) => {
    if (Node.isIfStatement(node)) return [node.getExpression()];
    if (Node.isConditionalExpression(node)) return [node.getCondition()];
    return Node.isSwitchStatement(node) ? [node.getExpression()] : [];
  });
  const others = conditions.filter((condition) => isUnusual(condition, handler));
  return [...new Set(others.map((one) => one.getText().replace(/\s+/g, " ")))];
}

function isUnusual(value: Node, handler: Handler, depth = 0): boolean {
  return [value, ...value.getDescendants()].some((one) => {
    if (Node.isStringLiteral(one)) return !usualTexts.test(one.getLiteralValue());
    if (!Node.isIdentifier(one) || usualNames.test(one.getText())) return false;
    const declaration = one.getSymbol()?.getValueDeclaration();
    if (Node.isVariableDeclaration(declaration) && isRecord(declaration)) return false;
    // A variable of the callback is about the same as its value.
    const inner =
      Node.isVariableDeclaration(declaration) && isIn(declaration, handler) ? onlyValue(declaration) : undefined;
    return !inner || depth > 3 || isUnusual(inner, handler, depth + 1);
  });
}

/** Options of a transport that createMcpHandler does not have by itself. */
function otherOptions(creation: NewExpression): readonly string[] {
  const [options] = creation.getArguments();
  if (!options) return [];
  if (!Node.isObjectLiteralExpression(options)) return [options.getText().replace(/\s+/g, " ")];
  const names = options.getProperties().map((one) => (Node.isSpreadAssignment(one) ? one.getText() : one.getName()));
  return names.filter((name) => !/^(?:sessionIdGenerator|onsessioninitialized|onsessionclosed)$/.test(name));
}

/** Whether a variable keeps the transports of sessions. */
function isRecord(declaration: VariableDeclaration): boolean {
  const value = declaration.getInitializer()?.getText() ?? "";
  return /^(?:new Map\b|\{\s*\}$)/.test(value) && declaration.getText().includes("Transport");
}

/** Removes the records of transports that only these callbacks use. */
function unusedRecords(rewriter: FileRewriter, handlers: readonly Handler[]): readonly Edit[] {
  const edits = new Map<Node, Edit>();
  for (const declaration of rewriter.file.getDescendantsOfKind(SyntaxKind.VariableDeclaration)) {
    const [name, value, statement] = [
      declaration.getNameNode(),
      declaration.getInitializer(),
      declaration.getVariableStatement(),
    ];
    if (
      !Node.isIdentifier(name) ||
      !value ||
      !statement ||
      statement.isExported() ||
      statement.getDeclarations().length > 1
    )
      continue;
    if (!isRecord(declaration)) continue;
    const uses = referencesIn(rewriter.file, name);
    if (uses.length > 0 && uses.every((one) => handlers.some((handler) => isIn(one, handler))))
      edits.set(statement, removedStatement(statement));
  }
  return [...edits.values()];
}

/** The callback, with a call of the handler as its only statement. */
function rerouted(rewriter: FileRewriter, handler: Handler): readonly Edit[] {
  const [request, response] = handler.getParameters().map((one) => one.getName());
  if (request === undefined || response === undefined) return [];
  const hasBody = /\bexpress\b/.test(rewriter.file.getFullText());
  const body = hasBody ? `, { parsedBody: ${request}.body }` : "";
  return [
    replaced(
      handler.getBody(),
      `{\n${indentOf(statementOf(handler))}  await mcpHandler(${request}, ${response}${body});\n${indentOf(statementOf(handler))}}`,
    ),
  ];
}
