import { Node, type ObjectLiteralExpression, type PropertyAssignment } from "ts-morph";
import { indentOf, inserted, removedItem } from "../file-rewriter.js";
import type { Rule } from "./rule.js";

const kinds: ReadonlySet<string> = new Set(["tools", "prompts", "resources"]);

/** Listens to changes of lists after the client is made, instead of by an option. */
export const listChanges: Rule = {
  id: "list-changes",
  summary:
    "The option `listChanged` of clients becomes calls of `client.onChanged`, if its handlers do not use the new list.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isPropertyAssignment(node) || node.getName() !== "listChanged") return;
      const options = node.getParent();
      const creation = options.getParent();
      if (!Node.isObjectLiteralExpression(options) || !Node.isNewExpression(creation)) return;
      if (rewriter.officialType(creation) !== "Client") return;
      const declaration = creation.getParent();
      const statement = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatement() : undefined;
      const listeners = listenersOf(node);
      if (!Node.isVariableDeclaration(declaration) || !statement || !listeners) {
        rewriter.todo(node, "call client.onChanged(kind, listener), and list again in the listener", "replace-members");
        return;
      }
      const indent = indentOf(statement);
      const lines = listeners.map(([kind, listener]) => {
        return `\n${indent}${declaration.getName()}.onChanged(${rewriter.string(kind)}, ${listener});`;
      });
      const isOnly = options.getProperties().length === 1;
      const removal = isOnly
        ? removedItem(options, creation.getArguments())
        : removedItem(node, options.getProperties());
      rewriter.change(removal, inserted(statement.getEnd(), lines.join("")));
    });
  },
};

/** The listeners by kind; undefined if one uses what the official SDK passes. */
function listenersOf(option: PropertyAssignment): readonly (readonly [kind: string, listener: string])[] | undefined {
  const value = option.getInitializer();
  if (!Node.isObjectLiteralExpression(value)) return undefined;
  const found: (readonly [string, string])[] = [];
  for (const member of value.getProperties()) {
    const listener = Node.isPropertyAssignment(member) ? listenerOf(member.getInitializer()) : undefined;
    if (!Node.isPropertyAssignment(member) || !kinds.has(member.getName()) || listener === undefined) return undefined;
    found.push([member.getName(), listener]);
  }
  return found;
}

function listenerOf(value: Node | undefined): string | undefined {
  const settings: ObjectLiteralExpression | undefined = Node.isObjectLiteralExpression(value) ? value : undefined;
  const listener = settings?.getProperty("onChanged");
  const code = Node.isPropertyAssignment(listener) ? listener.getInitializer() : undefined;
  const isPlain = (Node.isArrowFunction(code) || Node.isFunctionExpression(code)) && code.getParameters().length === 0;
  return isPlain ? code.getText() : undefined;
}
