import { type CallExpression, Node, type PropertyAccessExpression } from "ts-morph";
import {
  doneMark,
  type FileRewriter,
  inserted,
  isMarked,
  referencesIn,
  removedStatement,
  replaced,
} from "../file-rewriter.js";
import { methodOfSchema } from "../official-messages.js";
import { changedBy, rootOf } from "./changes.js";
import { takeParams } from "./handler-function.js";
import { isOwnMethodCall } from "./own-methods.js";
import type { Rule } from "./rule.js";

/** Rewrites the handlers of low-level servers and of clients. */
export const requestHandlers: Rule = {
  id: "request-handlers",
  summary:
    "Handlers of methods, or of the schemas of 1.x, take the params instead of the message; those of subscriptions are removed.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isCallExpression(node)) return;
      const callee = node.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || !/^set(?:Request|Notification)Handler$/.test(callee.getName()))
        return;
      if (isMarked(node) || isOwnMethodCall(rewriter, node)) return;
      const owner = rewriter.officialType(callee.getExpression());
      if (owner === "Server" || owner === "Client") rewriteHandler(rewriter, node, callee, owner);
    });
  },
};

function rewriteHandler(
  rewriter: FileRewriter,
  call: CallExpression,
  callee: PropertyAccessExpression,
  owner: "Server" | "Client",
): void {
  const [first, handler, ownHandler] = call.getArguments();
  const method = first && methodText(rewriter, first);
  if (!first || !handler || ownHandler || method === undefined) {
    rewriter.todo(call, "methods of your own are defined with defineMethods, for both sides", "replace-members");
    return;
  }
  if (owner === "Server" && /^["'`]resources\/(?:un)?subscribe["'`]$/.test(method)) {
    removeSubscription(rewriter, call, handler);
    return;
  }
  const edits = takeParams(handler, method);
  if (owner === "Client") rewriter.change(inserted(callee.getEnd(), doneMark), replaced(first, method), ...edits);
  else {
    const name = /^["'`]/.test(method) ? method : `[${method}]`;
    rewriter.change(
      replaced(callee.getNameNode(), "handle"),
      { start: first.getStart(), end: handler.getStart(), text: `{ ${name}: ` },
      ...edits,
      inserted(handler.getEnd(), " }"),
    );
  }
}

/** The method as source text; undefined for schemas that no revision has. */
function methodText(rewriter: FileRewriter, node: Node): string | undefined {
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)) return node.getText();
  const name = Node.isPropertyAccessExpression(node) && isNamespace(node.getExpression()) ? node.getNameNode() : node;
  if (!Node.isIdentifier(name)) return undefined;
  const method = methodOfSchema(name.getText());
  return method === undefined ? undefined : rewriter.string(method);
}

/** Whether a name is that of `import * as types`. */
function isNamespace(node: Node): boolean {
  return node.getSymbol()?.getDeclarations().some(Node.isNamespaceImport) === true;
}

/** The runtime keeps subscriptions itself: a handler would replace that, and clients would get no updates. */
function removeSubscription(rewriter: FileRewriter, call: CallExpression, handler: Node): void {
  const statement = call.getParent();
  const around = statement?.getParent();
  const isAlone = Node.isExpressionStatement(statement) && (Node.isBlock(around) || Node.isSourceFile(around));
  if (!isAlone || !onlyRecords(handler)) {
    rewriter.todo(
      call,
      "remove this handler, and what it does elsewhere: the runtime keeps subscriptions itself",
      "replace-members",
    );
    return;
  }
  for (const record of recordsOf(handler)) {
    const uses = referencesIn(rewriter.file, record).filter(
      (one) => !one.getAncestors().includes(handler) && !isInSubscription(one),
    );
    for (const use of uses) {
      if (use.getParent() === record.getParent()) continue;
      const question = guardOfUpdate(use);
      if (question) {
        rewriter.change(replaced(question, "true"));
        continue;
      }
      rewriter.todo(
        use,
        `nothing adds to ${record.getText()} any more: send updates without asking it, they reach subscribers only`,
        "replace-members",
      );
    }
  }
  rewriter.change(removedStatement(statement));
}

/** Whether a handler only records subscriptions, and logs: what else it does would be lost. */
function onlyRecords(handler: Node): boolean {
  if (!Node.isArrowFunction(handler) && !Node.isFunctionExpression(handler)) return false;
  return handler.getDescendants().every((node) => {
    if (Node.isNewExpression(node)) return /^new (?:Set|Map)\b/.test(node.getText());
    const changed = changedBy(node);
    if (changed) return isOwn(changed, handler);
    if (!Node.isCallExpression(node)) return true;
    const callee = node.getExpression();
    if (!Node.isPropertyAccessExpression(callee)) return false;
    if (/^(?:console|log|logger)\./.test(callee.getText())) return true;
    return recordMethods.has(callee.getName()) && isKnownRecord(rootOf(callee), handler);
  });
}

/** Whether a handler declares a name itself. */
function isOwn(name: Node, handler: Node): boolean {
  const declaration = Node.isIdentifier(name) ? name.getSymbol()?.getValueDeclaration() : undefined;
  return declaration !== undefined && isInside(declaration, handler);
}

/** Whether a record is a variable, all uses of which are in this file. */
function isKnownRecord(record: Node, handler: Node): boolean {
  if (!Node.isIdentifier(record)) return false;
  if (isOwn(record, handler)) return true;
  const declaration = record.getSymbol()?.getValueDeclaration();
  return (
    Node.isVariableDeclaration(declaration) &&
    Node.isIdentifier(declaration.getNameNode()) &&
    declaration.getVariableStatement()?.isExported() === false
  );
}

const recordMethods: ReadonlySet<string> = new Set(["add", "delete", "set", "get", "has", "push", "clear", "filter"]);

/** `subscribers.has(uri)` in the condition of an update, which reaches subscribers only. */
function guardOfUpdate(record: Node): Node | undefined {
  const access = record.getParent();
  const question =
    Node.isPropertyAccessExpression(access) && access.getName() === "has" ? access.getParent() : undefined;
  if (!Node.isCallExpression(question)) return undefined;
  const guard = question.getFirstAncestor((one) => Node.isIfStatement(one));
  if (!Node.isIfStatement(guard) || !isInside(question, guard.getExpression())) return undefined;
  return guard.getThenStatement().getText().includes("sendResourceUpdated") ? question : undefined;
}

function isInside(node: Node, around: Node): boolean {
  return node === around || node.getAncestors().includes(around);
}

/** Variables outside of a handler that it changes by a method. */
function recordsOf(handler: Node) {
  return handler.getDescendants().flatMap((node) => {
    if (!Node.isCallExpression(node)) return [];
    const callee = node.getExpression();
    const object = Node.isPropertyAccessExpression(callee) ? callee.getExpression() : undefined;
    if (!Node.isIdentifier(object)) return [];
    const declaration = object.getSymbol()?.getValueDeclaration();
    const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
    return Node.isIdentifier(name) && declaration?.getAncestors().includes(handler) === false ? [name] : [];
  });
}

function isInSubscription(node: Node): boolean {
  return node
    .getAncestors()
    .some(
      (one) =>
        Node.isCallExpression(one) &&
        /^[\w.]+\.setRequestHandler\(\s*["'`]?(?:resources\/(?:un)?subscribe|(?:Uns|S)ubscribeRequestSchema)/.test(
          one.getText(),
        ),
    );
}
