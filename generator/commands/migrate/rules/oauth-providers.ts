import { type CallExpression, type Expression, Node, type PropertyAssignment } from "ts-morph";
import { type FileRewriter, inserted, referencesIn, removedStatement, replaced } from "../file-rewriter.js";
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
      if (Node.isPropertyAssignment(node) && node.getName() === "authProvider") ofOption(rewriter, node);
      if (Node.isShorthandPropertyAssignment(node) && node.getName() === "authProvider") {
        if (isOwnProvider(node.getNameNode())) {
          rewriter.use("@mcpwright/runtime/auth", "adaptOAuthClientProvider");
          rewriter.change(replaced(node, "authProvider: adaptOAuthClientProvider(authProvider)"));
        }
      }
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

function ofOption(rewriter: FileRewriter, option: PropertyAssignment): void {
  const value = option.getInitializer();
  if (!value || !isOwnProvider(value)) return;
  rewriter.use("@mcpwright/runtime/auth", "adaptOAuthClientProvider");
  rewriter.change(inserted(value.getStart(), "adaptOAuthClientProvider("), inserted(value.getEnd(), ")"));
}

/** Whether a value has the form of an `OAuthClientProvider`; those of the official SDK for services are declared without it. */
function isOwnProvider(value: Node): boolean {
  const type =
    Node.isIdentifier(value) && Node.isShorthandPropertyAssignment(value.getParent())
      ? shorthandType(value)
      : value.getType();
  const properties = new Set(
    type
      .getNonNullableType()
      .getProperties()
      .map((one) => one.getName()),
  );
  return members.every((one) => properties.has(one));
}

function shorthandType(value: Node) {
  const parent = value.getParent();
  const declaration = Node.isShorthandPropertyAssignment(parent)
    ? parent.getValueSymbol()?.getValueDeclaration()
    : undefined;
  return (declaration ?? value).getType();
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
    const isAdapted = Node.isCallExpression(value) && value.getExpression().getText() === "adaptOAuthClientProvider";
    const provider = isAdapted ? value.getArguments()[0] : value;
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
