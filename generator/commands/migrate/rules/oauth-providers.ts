import {
  type CallExpression,
  type Expression,
  Node,
  type PropertyAssignment,
  type ShorthandPropertyAssignment,
  type Type,
  VariableDeclarationKind,
} from "ts-morph";
import { type FileRewriter, referencesIn, removedStatement, replaced } from "../file-rewriter.js";
import { callOf } from "./context-members.js";
import type { Rule } from "./rule.js";

/** Transports that log in with such a provider. */
const transports: ReadonlySet<string> = new Set(["StreamableHTTPClientTransport", "SSEClientTransport"]);

/** Members by which a class that implements `OAuthClientProvider` is recognized. */
const members = ["redirectToAuthorization", "saveCodeVerifier", "saveTokens", "clientInformation"];

/** Adapts providers that a program implements itself. */
export const oauthProviders: Rule = {
  id: "oauth-providers",
  summary:
    "`authProvider: provider` of your own class becomes `adaptOAuthClientProvider(provider)`, and `transport.finishAuth` its `finishAuth`.",
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isPropertyAssignment(node) || Node.isShorthandPropertyAssignment(node)) ofOption(rewriter, node);
      if (Node.isPropertyAccessExpression(node) && node.getName() === "finishAuth") {
        const type = rewriter.officialType(node.getExpression()) ?? "";
        const call = callOf(node);
        if (transports.has(type) && call) ofFinish(rewriter, call, node.getExpression());
      }
      // The provider checks the URL itself.
      if (Node.isExpressionStatement(node)) {
        const call = node.getExpression();
        const isCheck =
          Node.isCallExpression(call) && rewriter.officialName(call.getExpression()) === "validateClientMetadataUrl";
        if (isCheck) rewriter.change(removedStatement(node));
      }
    });
  },
};

function ofOption(rewriter: FileRewriter, option: PropertyAssignment | ShorthandPropertyAssignment): void {
  if (option.getName() !== "authProvider") return;
  const value = Node.isPropertyAssignment(option) ? option.getInitializer() : option.getNameNode();
  if (!value || isAdapted(value)) return;
  if (!isOfTransport(rewriter, option.getParent())) {
    if (isOfficialProvider(rewriter, value))
      rewriter.todo(option, "adapt the provider once, where a transport gets it: adaptOAuthClientProvider", "log-ins");
    return;
  }
  const types = typesOf(value);
  const text = types.every(isOwnProvider) ? adapted(value) : undefined;
  if (text !== undefined) {
    rewriter.use("@mcpwright/runtime/auth", "adaptOAuthClientProvider");
    rewriter.change(replaced(option, `authProvider: ${text}`));
  } else if (types.some((one) => one.isAny() || isOwnProvider(one)))
    rewriter.todo(option, "pass adaptOAuthClientProvider(provider) if this is an OAuthClientProvider", "log-ins");
}

/** The adapted value; undefined where the value may be missing, and would be computed twice. */
function adapted(value: Expression): string | undefined {
  const text = value.getText();
  if (!mayBeMissing(value)) return `adaptOAuthClientProvider(${text})`;
  return isPlain(value) ? `${text} && adaptOAuthClientProvider(${text})` : undefined;
}

/** A variable, or members of one. */
function isPlain(value: Node): boolean {
  if (Node.isPropertyAccessExpression(value)) return isPlain(value.getExpression());
  return Node.isIdentifier(value) || Node.isThisExpression(value);
}

/** Whether a value may be undefined; in JavaScript, also a variable whose type excludes it. */
function mayBeMissing(value: Expression): boolean {
  if (Node.isNewExpression(value)) return false;
  if (!/\.[cm]?jsx?$/.test(value.getSourceFile().getFilePath())) return value.getType().isNullable();
  const declaration = Node.isIdentifier(value) ? declarationOfValue(value) : undefined;
  const isConst =
    Node.isVariableDeclaration(declaration) &&
    declaration.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const;
  return !isConst || !Node.isNewExpression(declaration.getInitializer());
}

/** Whether a value is `adaptOAuthClientProvider(…)`, also after `&&`. */
function isAdapted(value: Node): boolean {
  return adaptedProvider(value) !== undefined;
}

function adaptedProvider(value: Node): Node | undefined {
  const call = Node.isBinaryExpression(value) ? value.getRight() : value;
  const isCall = Node.isCallExpression(call) && call.getExpression().getText() === "adaptOAuthClientProvider";
  return isCall ? call.getArguments()[0] : undefined;
}

/** Whether a literal is the options of an official transport, or a part of them, or a constant that is nothing else. */
function isOfTransport(rewriter: FileRewriter, part: Node): boolean {
  const parent = part.getParent();
  if (Node.isNewExpression(parent))
    return parent.getArguments()[1] === part && transports.has(rewriter.officialName(parent.getExpression()) ?? "");
  if (Node.isVariableDeclaration(parent)) {
    const name = parent.getNameNode();
    if (!Node.isIdentifier(name) || parent.getVariableStatement()?.isExported() !== false) return false;
    const uses = referencesIn(rewriter.file, name);
    return (
      uses.length > 0 && uses.every((one) => Node.isNewExpression(one.getParent()) && isOfTransport(rewriter, one))
    );
  }
  const isBranch = Node.isConditionalExpression(parent) && parent.getCondition() !== part;
  const isRight = Node.isBinaryExpression(parent) && /^(?:&&|\|\||\?\?)$/.test(parent.getOperatorToken().getText());
  const isInside =
    Node.isParenthesizedExpression(parent) ||
    Node.isAsExpression(parent) ||
    Node.isSatisfiesExpression(parent) ||
    Node.isSpreadAssignment(parent);
  if (Node.isObjectLiteralExpression(parent) && Node.isSpreadAssignment(part)) return isOfTransport(rewriter, parent);
  return parent !== undefined && (isBranch || isRight || isInside) && isOfTransport(rewriter, parent);
}

/** Whether a value is declared as an official provider, or is of a class that implements it. */
function isOfficialProvider(rewriter: FileRewriter, value: Node): boolean {
  const type = value.getType().getNonNullableType();
  const declarations = type.getSymbol()?.getDeclarations() ?? [];
  return declarations.some(
    (one) =>
      (one.getSourceFile().getFilePath() === rewriter.typesPath &&
        type.getSymbol()?.getName() === "OAuthClientProvider") ||
      (Node.isClassDeclaration(one) &&
        one.getImplements().some((base) => rewriter.officialName(base.getExpression()) === "OAuthClientProvider")),
  );
}

/** The types that a value may have, without null and undefined. */
function typesOf(value: Node): readonly Type[] {
  const type = value.getType().getNonNullableType();
  return type.isUnion() ? type.getUnionTypes() : [type];
}

/** Whether a type has the form of an `OAuthClientProvider`; those of the official SDK for services are declared without it. */
function isOwnProvider(type: Type): boolean {
  const properties = new Set(type.getProperties().map((one) => one.getName()));
  return members.every((one) => properties.has(one));
}

function declarationOfValue(value: Node): Node | undefined {
  const parent = value.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : value.getSymbol();
  return symbol?.getValueDeclaration();
}

/** `transport.finishAuth(response)`: the provider of the transport has the log-in. */
function ofFinish(rewriter: FileRewriter, call: CallExpression, transport: Expression): void {
  const providers = new Set(providersOf(rewriter, transport).map((one) => one.getText()));
  const [provider] = providersOf(rewriter, transport);
  if (!provider || providers.size !== 1 || !isKnownAt(provider, call)) {
    rewriter.todo(
      call,
      "pass the callback to adaptOAuthClientProvider(provider).finishAuth, with the provider of the transport",
      "log-ins",
    );
    return;
  }
  rewriter.use("@mcpwright/runtime/auth", "adaptOAuthClientProvider");
  rewriter.change(replaced(call.getExpression(), `adaptOAuthClientProvider(${provider.getText()}).finishAuth`));
}

/** The values of the option `authProvider` with which the transports in a variable were made. */
function providersOf(rewriter: FileRewriter, transport: Node, depth = 0): readonly Expression[] {
  if (depth > 3) return [];
  if (Node.isNewExpression(transport)) {
    const options = transport.getArguments()[1];
    const option = Node.isObjectLiteralExpression(options) ? options.getProperty("authProvider") : undefined;
    if (Node.isShorthandPropertyAssignment(option)) return [option.getNameNode()];
    const value = Node.isPropertyAssignment(option) ? option.getInitializer() : undefined;
    const provider = value && (adaptedProvider(value) ?? value);
    return Node.isExpression(provider) ? [provider] : [];
  }
  if (!Node.isIdentifier(transport)) return [];
  const declaration = transport.getSymbol()?.getValueDeclaration();
  if (!Node.isVariableDeclaration(declaration)) return [];
  const name = declaration.getNameNode();
  const assigned = Node.isIdentifier(name) ? referencesIn(rewriter.file, name).flatMap((one) => assignedTo(one)) : [];
  const values = [declaration.getInitializer(), ...assigned].filter((one) => one !== undefined);
  return values.flatMap((one) => providersOf(rewriter, one, depth + 1));
}

function assignedTo(name: Node): readonly Node[] {
  const assignment = name.getParent();
  const isAssignment =
    Node.isBinaryExpression(assignment) &&
    assignment.getLeft() === name &&
    assignment.getOperatorToken().getText() === "=";
  return isAssignment ? [assignment.getRight()] : [];
}

/** Whether an expression means the same at another place: a variable that is visible there, or a member of the same object. */
export function isKnownAt(expression: Node, place: Node): boolean {
  if (Node.isPropertyAccessExpression(expression)) return isKnownAt(expression.getExpression(), place);
  if (Node.isThisExpression(expression)) {
    const classAround = (node: Node): Node | undefined =>
      node.getAncestors().find((one) => Node.isClassDeclaration(one));
    return classAround(expression) !== undefined && classAround(expression) === classAround(place);
  }
  if (!Node.isIdentifier(expression)) return false;
  const parent = expression.getParent();
  const symbol = Node.isShorthandPropertyAssignment(parent) ? parent.getValueSymbol() : expression.getSymbol();
  const declaration = symbol?.getValueDeclaration() ?? symbol?.getDeclarations()[0];
  const scope = declaration
    ?.getAncestors()
    .find((one) => Node.isBlock(one) || Node.isFunctionLikeDeclaration(one) || Node.isSourceFile(one));
  return scope !== undefined && place.getAncestors().includes(scope);
}
