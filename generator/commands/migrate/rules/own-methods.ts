import { type CallExpression, type Identifier, type NewExpression, Node, SyntaxKind } from "ts-morph";
import { doneMark, type Edit, type FileRewriter, inserted, isMarked, replaced } from "../file-rewriter.js";
import { revisionOfMethod } from "../official-messages.js";
import { addOption } from "./callback-options.js";
import { usesName } from "../used-names.js";
import { messageArguments, messageParts } from "./message-argument.js";
import { parsing } from "./parsed-values.js";
import type { Rule } from "./rule.js";
import { zodName } from "./wrap-shapes.js";

type Side = "server" | "client";

/** What a file defines for one side, and the edits of its calls. */
interface OwnMessages {
  readonly requests: Map<string, string>;
  readonly serverNotifications: Map<string, string>;
  readonly clientNotifications: Map<string, string>;
  readonly edits: Edit[];
  /** The schemas, which must be visible where the methods are defined. */
  readonly schemas: Node[];
}

/** Defines methods that the protocol does not have, and passes them to the server or client of the file. */
export const ownMethods: Rule = {
  id: "own-methods",
  summary:
    "`setRequestHandler(method, { params, result }, handler)`, and requests and notifications of your own, become `defineMethods`, an extension of both sides.",
  run(rewriter) {
    const sides = plan(rewriter);
    for (const { creation, messages } of sides) {
      const top = creation.getAncestors().findLast((one) => Node.isStatement(one));
      if (!top) continue;
      const name = rewriter.freeName("ownMethods", "ownMessages", "customMethods");
      rewriter.use("@mcpwright/runtime/methods", "defineMethods");
      rewriter.change(
        inserted(top.getStart(), `const ${name} = defineMethods(${printed(rewriter, messages)});\n\n`),
        ...addOption(creation, "extensions", `[${name}]`),
        ...messages.edits,
      );
    }
  },
};

/** Whether a call is of a method of its own, and this rule rewrites it. */
export function isOwnMethodCall(rewriter: FileRewriter, call: CallExpression): boolean {
  return plan(rewriter).some(({ calls }) => calls.includes(call));
}

interface PlannedSide {
  readonly creation: NewExpression;
  readonly messages: OwnMessages;
  readonly calls: readonly CallExpression[];
}

/** The plans of the files of a pass. */
const plans = new WeakMap<FileRewriter, readonly PlannedSide[]>();

function plan(rewriter: FileRewriter): readonly PlannedSide[] {
  const known = plans.get(rewriter) ?? findSides(rewriter);
  plans.set(rewriter, known);
  return known;
}

/** The sides of a file whose only creation is in it; none where a method cannot be defined. */
function findSides(rewriter: FileRewriter): readonly PlannedSide[] {
  if (!/setRequestHandler|setNotificationHandler|\.request\(|otif/.test(rewriter.file.getFullText())) return [];
  return (["server", "client"] as const).flatMap((side) => {
    const [creation, ...others] = creationsOf(rewriter, side);
    if (!creation || others.length > 0) return [];
    const messages: OwnMessages = {
      requests: new Map(),
      serverNotifications: new Map(),
      clientNotifications: new Map(),
      edits: [],
      schemas: [],
    };
    const calls: CallExpression[] = [];
    for (const call of rewriter.file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
      const isKnown = !isMarked(call) && collect(rewriter, side, call, messages);
      if (isKnown === undefined) return [];
      if (isKnown) calls.push(call);
    }
    const options = creation.getArguments()[1];
    const hasExtensions = Node.isObjectLiteralExpression(options) && options.getProperty("extensions") !== undefined;
    if (calls.length === 0 || hasExtensions || !messages.schemas.every((one) => isVisible(one, creation))) return [];
    return [{ creation, messages, calls }];
  });
}

function creationsOf(rewriter: FileRewriter, side: Side): readonly NewExpression[] {
  const classes = side === "client" ? /^Client$/ : /^(?:Mcp)?Server$/;
  return rewriter.file
    .getDescendantsOfKind(SyntaxKind.NewExpression)
    .filter((one) => classes.test(rewriter.officialName(one.getExpression()) ?? ""));
}

/** Adds what a call defines or sends. False for calls of other methods, undefined for one that cannot be rewritten. */
function collect(rewriter: FileRewriter, side: Side, call: CallExpression, messages: OwnMessages): boolean | undefined {
  const callee = call.getExpression();
  if (!Node.isPropertyAccessExpression(callee)) return false;
  const owner = rewriter.officialType(callee.getExpression());
  const isSide = side === "client" ? owner === "Client" : owner === "Server" || owner === "McpServer";
  const [first, second, third] = call.getArguments();
  switch (callee.getName()) {
    case "setRequestHandler":
      if (!isSide || !third || !Node.isStringLiteral(first) || !isOwn(first.getLiteralValue())) return false;
      return side === "server" ? handleRequest(rewriter, call, messages) : undefined;
    case "setNotificationHandler":
      if (!isSide || !third || !Node.isStringLiteral(first) || !isOwn(first.getLiteralValue())) return false;
      return handleNotification(side, call, messages);
    case "request": {
      const parts = messageParts(first);
      if (owner !== "Client" || side !== "client" || parts?.name === undefined || !isOwn(parts.name)) return false;
      if (!second || Node.isObjectLiteralExpression(second) || !first) return undefined;
      const parse = parsing(second);
      const awaited = call.getParent();
      if (!parse || (parse.isNeeded && !Node.isAwaitExpression(awaited))) return undefined;
      messages.schemas.push(second);
      // Here, the official SDK has no schema of the params, so all are accepted.
      const params = parts.params === undefined ? "" : `params: ${zodName(rewriter)}.looseObject({}), `;
      messages.requests.set(parts.name, `{ ${params}result: ${second.getText()} }`);
      messages.edits.push(
        { start: first.getStart(), end: second.getEnd(), text: messageArguments(parts) },
        inserted(callee.getEnd(), doneMark),
      );
      if (parse.isNeeded && awaited)
        messages.edits.push(
          inserted(awaited.getStart(), `${second.getText()}.parse(`),
          inserted(awaited.getEnd(), ")"),
        );
      return true;
    }
    case "notify":
    case "notification": {
      const isContext = side === "server" && owner === "McpReq";
      const parts = messageParts(first);
      const name = isContext || isSide ? parts?.name : undefined;
      if (name === undefined || !isOwn(name)) return false;
      const kind = side === "server" ? messages.serverNotifications : messages.clientNotifications;
      if (!kind.has(name)) kind.set(name, "");
      return false;
    }
    default:
      return false;
  }
}

function isOwn(method: string): boolean {
  return revisionOfMethod(method) === undefined && method !== "ping" && method.includes("/");
}

function handleRequest(rewriter: FileRewriter, call: CallExpression, messages: OwnMessages): boolean | undefined {
  const [method, schemas, handler] = call.getArguments();
  const callee = call.getExpression();
  if (!Node.isStringLiteral(method) || !handler || !Node.isPropertyAccessExpression(callee)) return undefined;
  const [params, result] = [memberOf(schemas, "params"), memberOf(schemas, "result")];
  const edits = params ? takeParsed(params, handler) : [];
  if (!Node.isObjectLiteralExpression(schemas) || !edits) return undefined;
  const zod = result ? "" : zodName(rewriter);
  const members = [params && `params: ${params.getText()}`, `result: ${result?.getText() ?? `${zod}.looseObject({})`}`];
  messages.schemas.push(...[params, result].filter((one) => one !== undefined));
  messages.requests.set(method.getLiteralValue(), `{ ${members.filter(Boolean).join(", ")} }`);
  messages.edits.push(
    replaced(callee.getNameNode(), "handle"),
    { start: method.getStart(), end: handler.getStart(), text: `{ ${method.getText()}: ` },
    ...edits,
    inserted(handler.getEnd(), " }"),
  );
  return true;
}

function handleNotification(side: Side, call: CallExpression, messages: OwnMessages): boolean | undefined {
  const [method, schemas, handler] = call.getArguments();
  const callee = call.getExpression();
  const params = memberOf(schemas, "params");
  if (!Node.isStringLiteral(method) || !handler || !params || !Node.isPropertyAccessExpression(callee))
    return undefined;
  const edits = takeParsed(params, handler);
  if (!edits) return undefined;
  messages.schemas.push(params);
  const kind = side === "client" ? messages.serverNotifications : messages.clientNotifications;
  kind.set(method.getLiteralValue(), params.getText());
  if (side === "client")
    messages.edits.push(inserted(callee.getEnd(), doneMark), {
      start: method.getEnd(),
      end: handler.getStart(),
      text: ", ",
    });
  else
    messages.edits.push(
      replaced(callee.getNameNode(), "handle"),
      { start: method.getStart(), end: handler.getStart(), text: `{ ${method.getText()}: ` },
      inserted(handler.getEnd(), " }"),
    );
  messages.edits.push(...edits);
  return true;
}

function memberOf(schemas: Node | undefined, name: string): Node | undefined {
  const member = Node.isObjectLiteralExpression(schemas) ? schemas.getProperty(name) : undefined;
  if (Node.isShorthandPropertyAssignment(member)) return member.getNameNode();
  return Node.isPropertyAssignment(member) ? member.getInitializer() : undefined;
}

/** Lets a handler parse what it receives, if its schema changes values. Undefined if that is not known. */
function takeParsed(schema: Node, handler: Node): readonly Edit[] | undefined {
  const parse = parsing(schema);
  if (!parse) return undefined;
  if (!parse.isNeeded) return [];
  if (!Node.isArrowFunction(handler) && !Node.isFunctionExpression(handler)) return undefined;
  const [parameter] = handler.getParameters();
  if (!parameter || parameter.getInitializer()) return undefined;
  if (usesName(handler, "received")) return undefined;
  const [body, name] = [handler.getBody(), parameter.getNameNode().getText()];
  const line = `const ${name} = ${schema.getText()}.parse(received);`;
  const isBare = !handler
    .getText()
    .slice(0, parameter.getStart() - handler.getStart())
    .includes("(");
  return [
    replaced(parameter, isBare ? "(received)" : "received"),
    ...(Node.isBlock(body)
      ? [inserted(body.getStart() + 1, ` ${line}`)]
      : [inserted(body.getStart(), `{ ${line} return `), inserted(body.getEnd(), "; }")]),
  ];
}

/** Whether the names of a schema are declared in the file's own scope, above a creation. */
function isVisible(schema: Node, creation: NewExpression): boolean {
  const top = creation.getAncestors().findLast((one) => Node.isStatement(one));
  const names = [schema, ...schema.getDescendants()].filter(
    (one): one is Identifier => Node.isIdentifier(one) && !isMemberName(one),
  );
  return names.every((one) => {
    const [declaration] = one.getSymbol()?.getDeclarations() ?? [];
    const around = declaration?.getAncestors() ?? [];
    if (declaration?.getSourceFile() !== creation.getSourceFile() || around.includes(schema)) return true;
    const statement = around.find((node) => Node.isStatement(node));
    return Node.isSourceFile(statement?.getParent()) && statement.getStart() < (top?.getStart() ?? 0);
  });
}

function isMemberName(name: Identifier): boolean {
  const parent = name.getParent();
  if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() === name;
  return Node.isPropertyAssignment(parent) && parent.getNameNode() === name;
}

function printed(rewriter: FileRewriter, messages: OwnMessages): string {
  const kinds = (["requests", "serverNotifications", "clientNotifications"] as const).flatMap((kind) => {
    const rows = [...messages[kind]].map(
      ([method, schema]) => `    ${rewriter.string(method)}: ${schema || `${zodName(rewriter)}.looseObject({})`},\n`,
    );
    return rows.length === 0 ? [] : [`  ${kind}: {\n${rows.join("")}  },\n`];
  });
  return `{\n${kinds.join("")}}`;
}
