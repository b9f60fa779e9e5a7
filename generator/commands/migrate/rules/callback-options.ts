import {
  type CallExpression,
  type ExpressionStatement,
  type Identifier,
  type NewExpression,
  Node,
  type PropertyAccessExpression,
  SyntaxKind,
} from "ts-morph";
import { type Edit, type FileRewriter, inserted, removedStatement, replaced } from "../file-rewriter.js";
import { onlyValue } from "./only-value.js";
import type { Rule } from "./rule.js";

/** Passes what the official SDK assigns to members as options. */
export const callbackOptions: Rule = {
  id: "callback-options",
  summary: "`client.onerror = …` and `server.server.onerror = …` become options; `oninitialized` becomes a handler.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (!Node.isBinaryExpression(node) || node.getOperatorToken().getText() !== "=") return;
      const target = node.getLeft();
      if (!Node.isPropertyAccessExpression(target)) return;
      const owner = rewriter.officialType(target.getExpression());
      if (owner !== "Client" && owner !== "Server" && owner !== "McpServer") return;
      const [name, value] = [target.getName(), node.getRight()];
      const statement = node.getParent();
      if (name === "oninitialized") {
        const handler = `${target.getExpression().getText()}.handle({ ${rewriter.string("notifications/initialized")}: ${value.getText()} })`;
        rewriter.change(replaced(node, handler));
      } else if (name === "onerror" || (name === "onclose" && owner === "Client")) {
        const assigned = assignedBefore(rewriter, statement, target);
        const creation = creationOf(target.getExpression()) ?? assigned;
        const isFirst = assigned ? hasNoOption(assigned, name) : isOnly(node, target);
        if (creation && isNextTo(statement, creation) && isFirst && isVisible(value, creation))
          rewriter.change(...addOption(creation, name, value.getText()), removedStatement(statement));
        else rewriter.todo(node, `pass ${name} as an option of the constructor`, "servers-and-clients");
      } else if (name === "onclose")
        rewriter.todo(
          node,
          "servers have no onclose: the signal of a notification handler aborts when the connection ends",
          "replace-members",
        );
      else if (/^fallback\w+Handler$/.test(name)) rewriter.todo(node, `${name} has no counterpart`, "replace-members");
    });
  },
};

/** The creation in the statement before, if that assigns to the variable of a target: `client = new Client(…)`. */
function assignedBefore(
  rewriter: FileRewriter,
  statement: Node | undefined,
  target: PropertyAccessExpression,
): NewExpression | undefined {
  const before = Node.isExpressionStatement(statement) ? statement.getPreviousSibling() : undefined;
  const assignment = Node.isExpressionStatement(before) ? before.getExpression() : undefined;
  if (!Node.isBinaryExpression(assignment) || assignment.getOperatorToken().getText() !== "=") return undefined;
  const [left, right] = [assignment.getLeft(), assignment.getRight()];
  const isSame = Node.isIdentifier(left) && left.getText() === target.getExpression().getText();
  return isSame && Node.isNewExpression(right) && rewriter.officialType(right) !== undefined ? right : undefined;
}

function hasNoOption(creation: NewExpression, name: string): boolean {
  const options = creation.getArguments()[1];
  return options === undefined || (Node.isObjectLiteralExpression(options) && options.getProperty(name) === undefined);
}

/** Whether a statement is in the block of a creation: another block may not run, or later. */
function isNextTo(statement: Node | undefined, creation: Node): statement is ExpressionStatement {
  const block = creation.getFirstAncestor((one) => Node.isBlock(one) || Node.isSourceFile(one));
  return Node.isExpressionStatement(statement) && statement.getParent() === block;
}

/** Whether nothing else in the file assigns a member of this text, and the constructor does not have it. */
function isOnly(assignment: Node, target: PropertyAccessExpression): boolean {
  const options = creationOf(target.getExpression())?.getArguments()[1];
  if (Node.isObjectLiteralExpression(options) && options.getProperty(target.getName())) return false;
  return !target
    .getSourceFile()
    .getDescendantsOfKind(SyntaxKind.BinaryExpression)
    .some((one) => one !== assignment && one.getLeft().getText() === target.getText());
}

/** The `new` expression of the variable that a target belongs to: `client`, or `server` of `server.server`. */
export function creationOf(target: Node): NewExpression | undefined {
  const root =
    Node.isPropertyAccessExpression(target) && target.getName() === "server" ? target.getExpression() : target;
  if (!Node.isIdentifier(root)) return undefined;
  const value = onlyValue(root.getSymbol()?.getValueDeclaration());
  return Node.isNewExpression(value) && value.getSourceFile() === target.getSourceFile() ? value : undefined;
}

/** Whether the names in a value mean the same at the creation; those inside of functions are read later. */
function isVisible(value: Node, creation: Node): boolean {
  const isLazy = Node.isArrowFunction(value) || Node.isFunctionExpression(value);
  const names = value.getDescendants().filter((one): one is Identifier => Node.isIdentifier(one));
  return (Node.isIdentifier(value) ? [...names, value] : names).every((name) => {
    const declaration = name.getSymbol()?.getDeclarations()[0];
    if (declaration?.getSourceFile() !== creation.getSourceFile()) return true;
    if (declaration.getAncestors().includes(value)) return true;
    if (Node.isFunctionDeclaration(declaration) || Node.isImportSpecifier(declaration)) return true;
    const scope = declaration
      .getAncestors()
      .find((one) => Node.isBlock(one) || Node.isSourceFile(one) || Node.isArrowFunction(one));
    const isInScope = scope === undefined || creation.getAncestors().includes(scope);
    return isInScope && (isLazy || declaration.getStart() < creation.getStart());
  });
}

/** Adds an option to `new Client(info, options)`, or `createMcpHandler(factory, options)`. */
export function addOption(creation: NewExpression | CallExpression, name: string, value: string): readonly Edit[] {
  const [info, options] = creation.getArguments();
  const member = name === value ? name : `${name}: ${value}`;
  if (!info) return [];
  if (!options) return [addedArgument(creation, info, `{ ${member} }`)];
  if (!Node.isObjectLiteralExpression(options))
    return [inserted(options.getStart(), `{ ...`), inserted(options.getEnd(), `, ${member} }`)];
  const [first] = options.getProperties();
  if (!first) return [replaced(options, `{ ${member} }`)];
  const isMultiline = options
    .getText()
    .slice(0, first.getStart() - options.getStart())
    .includes("\n");
  const gap = isMultiline ? options.getText().slice(1, first.getStart() - options.getStart()) : " ";
  return [inserted(first.getStart(), `${member},${gap.replace(/^.*(?=\r?\n)/, "")}`)];
}

/**
 * Adds an argument behind the last one. It replaces the end of the call, so that two options do not get an object each in one pass, and not
 * the argument, so that what another rule wraps around that does not enclose the new one.
 */
function addedArgument(creation: NewExpression | CallExpression, last: Node, text: string): Edit {
  const rest = creation.getText().slice(last.getEnd() - creation.getStart());
  return { start: last.getEnd(), end: creation.getEnd(), text: `, ${text}${rest}` };
}
