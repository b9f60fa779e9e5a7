import { type ArrowFunction, type FunctionExpression, Node } from "ts-morph";
import { type Edit, replaced } from "../file-rewriter.js";

/** The handler of a notification around a node. There is no request, so it asks the client by its connection. */
export type NotificationHandler =
  /** Not rewritten to `handle({ "notifications/…": … })` yet. */
  | { readonly kind: "official" }
  | { readonly kind: "rewritten"; readonly context: string }
  /** Without a parameter for the context; `edit` adds it. */
  | { readonly kind: "incomplete"; readonly edit: Edit };

/** Undefined outside of a handler that a server has for a notification. */
export function notificationHandlerAround(node: Node): NotificationHandler | undefined {
  const handler = node
    .getAncestors()
    .find(
      (one): one is ArrowFunction | FunctionExpression => Node.isArrowFunction(one) || Node.isFunctionExpression(one),
    );
  const parent = handler?.getParent();
  if (!handler || !parent) return undefined;
  if (Node.isBinaryExpression(parent))
    return parent.getLeft().getText().endsWith(".oninitialized") ? { kind: "official" } : undefined;
  if (Node.isCallExpression(parent))
    return parent.getExpression().getText().endsWith(".setNotificationHandler") ? { kind: "official" } : undefined;
  if (!Node.isPropertyAssignment(parent) || !/^["']notifications\//.test(parent.getName())) return undefined;
  const call = parent.getParentOrThrow().getParent();
  if (!Node.isCallExpression(call) || !call.getExpression().getText().endsWith(".handle")) return undefined;
  const [first, second] = handler.getParameters();
  if (second) return { kind: "rewritten", context: second.getName() };
  if (first) return { kind: "incomplete", edit: replaced(first, `${first.getText()}, context`) };
  const start = handler.getText().indexOf("()");
  if (start < 0) return undefined;
  const at = handler.getStart() + start;
  return { kind: "incomplete", edit: { start: at, end: at + 2, text: "(_params, context)" } };
}
