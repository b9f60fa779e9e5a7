import { type ArrowFunction, type FunctionExpression, Node, type ParameterDeclaration } from "ts-morph";
import { type Edit, inserted, referencesIn, replaced } from "../file-rewriter.js";
import { usesName } from "../used-names.js";
import { declarationOf, onlyValue } from "./only-value.js";

type HandlerFunction = ArrowFunction | FunctionExpression;

/** Edits that let a handler of `{ method, params }` take the params. @param method the source text of the method */
export function takeParams(handler: Node, method: string): readonly Edit[] {
  if (!Node.isArrowFunction(handler) && !Node.isFunctionExpression(handler)) return wrapped(handler, method);
  const [first] = handler.getParameters();
  if (!first) return [];
  if (first.getName() === "this" || usesArguments(handler)) return wrapped(handler, method);
  return ofIdentifier(handler, first, method) ?? ofPattern(first) ?? wrapped(handler, method);
}

/** Whether a function counts or passes on its own arguments. */
function usesArguments(handler: HandlerFunction): boolean {
  return Node.isFunctionExpression(handler) && usesName(handler, "arguments");
}

/** Keeps a handler that needs the whole message, or that is defined elsewhere. */
function wrapped(handler: Node, method: string): readonly Edit[] {
  const isCallable = Node.isIdentifier(handler) || Node.isPropertyAccessExpression(handler);
  const [before, after] = isCallable ? ["", ""] : ["(", ")"];
  const [parameters, args] = [
    ["", ""],
    ["params", `{ method: ${method}, params }`],
    ["params, context", `{ method: ${method}, params }, context`],
  ][Math.min(parameterCount(handler) ?? 2, 2)] ?? ["", ""];
  return [
    inserted(handler.getStart(), `(${parameters ?? ""}) => ${before}`),
    inserted(handler.getEnd(), `${after}(${args ?? ""})`),
  ];
}

/** How many parameters a named function has; undefined if it is not known, or may read others. */
function parameterCount(handler: Node): number | undefined {
  if (!Node.isIdentifier(handler)) return undefined;
  const declaration = declarationOf(handler);
  const made = Node.isFunctionDeclaration(declaration) ? declaration : onlyValue(declaration);
  if (!Node.isFunctionDeclaration(made) && !Node.isArrowFunction(made) && !Node.isFunctionExpression(made))
    return undefined;
  const parameters = made.getParameters();
  const isOpen = parameters.some((one) => one.isRestParameter() || one.getName() === "this");
  return isOpen || usesName(made, "arguments") ? undefined : parameters.length;
}

function ofIdentifier(
  handler: HandlerFunction,
  parameter: ParameterDeclaration,
  method: string,
): readonly Edit[] | undefined {
  const name = parameter.getNameNode();
  if (!Node.isIdentifier(name)) return undefined;
  const edits: Edit[] = [];
  const references = referencesIn(handler, name);
  if (references.length === 0) return typeOf(parameter) ? [replaced(parameter, name.getText())] : [];
  const fresh = nameOfParams(handler, references);
  for (const reference of references) {
    const parent = reference.getParent();
    if (Node.isPropertyAccessExpression(parent) && parent.getName() === "params") edits.push(replaced(parent, fresh));
    else if (Node.isPropertyAccessExpression(parent) && parent.getName() === "method")
      edits.push(replaced(parent, method));
    else {
      const statement = paramsDeclaration(parent);
      if (!statement || fresh !== "params") return undefined;
      edits.push(statement);
    }
  }
  return [replaced(parameter, fresh), ...edits];
}

/** `const { params } = request;`, which is not needed any more. */
function paramsDeclaration(node: Node | undefined): Edit | undefined {
  if (!Node.isVariableDeclaration(node)) return undefined;
  const pattern = node.getNameNode();
  const statement = node.getVariableStatement();
  if (!Node.isObjectBindingPattern(pattern) || statement?.getDeclarations().length !== 1) return undefined;
  const elements = pattern.getElements().map((one) => one.getText());
  if (elements.join() !== "params") return undefined;
  const end = statement.getNextSibling()?.getStart() ?? statement.getEnd();
  return { start: statement.getStart(), end, text: "" };
}

function ofPattern(parameter: ParameterDeclaration): readonly Edit[] | undefined {
  const pattern = parameter.getNameNode();
  if (!Node.isObjectBindingPattern(pattern)) return undefined;
  const [element, ...others] = pattern.getElements();
  if (!element || others.length > 0 || element.getDotDotDotToken() || element.getInitializer()) return undefined;
  const property = element.getPropertyNameNode()?.getText() ?? element.getName();
  return property === "params" ? [replaced(parameter, element.getNameNode().getText())] : undefined;
}

function typeOf(parameter: ParameterDeclaration): boolean {
  return parameter.getTypeNode() !== undefined;
}

/** A name that nothing in the handler has, but for a declaration that is removed. */
function nameOfParams(handler: Node, references: readonly Node[]): string {
  const isRemoved = references.some((one) => paramsDeclaration(one.getParent()) !== undefined);
  if (isRemoved) return "params";
  return (
    ["params", "received", "receivedParams", "requestParams"].find((one) => !usesName(handler, one)) ?? "mcpParams"
  );
}
