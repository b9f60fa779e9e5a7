import { type CallExpression, type Expression, type NewExpression, Node, type ObjectLiteralExpression } from "ts-morph";
import { type Edit, type FileRewriter, referencesIn, removedItem, replaced } from "../file-rewriter.js";
import { callOf } from "./context-members.js";
import { isKnownAt } from "./oauth-providers.js";
import type { Rule } from "./rule.js";

/** Providers for services, which both have. */
const providers: ReadonlySet<string> = new Set([
  "ClientCredentialsProvider",
  "PrivateKeyJwtProvider",
  "StaticPrivateKeyJwtProvider",
  "CrossAppAccessProvider",
]);

const renamedOptions: Readonly<Record<string, string>> = { expectedIssuer: "issuer", fetchFn: "fetch" };

/** Members of a token response, and those of our `TokenSet`. */
const tokenMembers: Readonly<Record<string, string>> = {
  access_token: "accessToken",
  token_type: "scheme",
  refresh_token: "refreshToken",
  issuer: "issuer",
};

/** Rewrites the options of providers for services, and the reads of their tokens. */
export const serviceProviders: Rule = {
  id: "service-providers",
  summary:
    '`scope: "a b"` of providers for services becomes `scopes: ["a", "b"]`, and `provider.tokens()` becomes `await provider.tokens(url)`.',
  run(rewriter) {
    rewriter.file.forEachDescendant((node) => {
      if (Node.isNewExpression(node) && providers.has(rewriter.officialName(node.getExpression()) ?? "")) {
        const [options] = node.getArguments();
        if (Node.isObjectLiteralExpression(options)) ofOptions(rewriter, options);
      }
      if (!Node.isPropertyAccessExpression(node) || node.getName() !== "tokens") return;
      const call = callOf(node);
      if (call?.getArguments().length === 0 && providers.has(rewriter.officialType(node.getExpression()) ?? ""))
        ofTokens(rewriter, call, node.getExpression());
    });
  },
};

function ofOptions(rewriter: FileRewriter, options: ObjectLiteralExpression): void {
  for (const member of options.getProperties()) {
    const isShort = Node.isShorthandPropertyAssignment(member);
    if (!isShort && !Node.isPropertyAssignment(member)) continue;
    const name = member.getName();
    const value = isShort ? member.getNameNode() : member.getInitializer();
    const to = Object.hasOwn(renamedOptions, name) ? renamedOptions[name] : undefined;
    if (to !== undefined)
      rewriter.change(isShort ? replaced(member, `${to}: ${name}`) : replaced(member.getNameNode(), to));
    else if (name === "clientName") rewriter.change(removedItem(member, options.getProperties()));
    else if (name === "scope" && value) rewriter.change(replaced(member, `scopes: ${scopesOf(rewriter, value)}`));
  }
}

/** The scopes that a string has, as a list. */
function scopesOf(rewriter: FileRewriter, value: Expression): string {
  if (!Node.isStringLiteral(value)) {
    const text = isOperand(value) ? value.getText() : `(${value.getText()})`;
    return `${text}${value.getType().isNullable() ? "?" : ""}.split(${rewriter.string(" ")})`;
  }
  const scopes = value
    .getLiteralValue()
    .split(/\s+/)
    .filter((one) => one !== "");
  return `[${scopes.map((one) => rewriter.string(one)).join(", ")}]`;
}

/** Whether a member may follow a value without parentheses. */
function isOperand(value: Node): boolean {
  return (
    Node.isIdentifier(value) ||
    Node.isPropertyAccessExpression(value) ||
    Node.isElementAccessExpression(value) ||
    Node.isCallExpression(value) ||
    Node.isParenthesizedExpression(value) ||
    Node.isNonNullExpression(value) ||
    Node.isTemplateExpression(value) ||
    Node.isNoSubstitutionTemplateLiteral(value)
  );
}

/** `const tokens = provider.tokens()`, after the provider was passed to a transport. */
function ofTokens(rewriter: FileRewriter, call: CallExpression, provider: Node): void {
  const url = serverOf(rewriter, provider);
  const declaration = call.getParent();
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  const uses = Node.isIdentifier(name) ? referencesIn(rewriter.file, name).map(memberEdit) : [undefined];
  if (!url || !isKnownAll(url, call) || !canAwait(call) || uses.some((one) => one === undefined)) {
    rewriter.todo(call, "await tokens(url) with the URL of the MCP server; its members have other names", "log-ins");
    return;
  }
  rewriter.change(
    replaced(call, `await ${provider.getText()}.tokens(${url.getText()})`),
    ...uses.filter((one) => one !== undefined),
  );
}

/** The URL of the transport that has the provider, if there is one. */
function serverOf(rewriter: FileRewriter, provider: Node): Node | undefined {
  const urls = rewriter.file
    .getDescendants()
    .flatMap((node) => (Node.isNewExpression(node) ? urlOf(node, provider) : []));
  return new Set(urls.map((one) => one.getText())).size === 1 ? urls[0] : undefined;
}

function urlOf(made: NewExpression, provider: Node): readonly Node[] {
  const [url, options] = made.getArguments();
  const option = Node.isObjectLiteralExpression(options) ? options.getProperty("authProvider") : undefined;
  const value = Node.isPropertyAssignment(option) ? option.getInitializer() : undefined;
  const text = Node.isShorthandPropertyAssignment(option) ? option.getName() : value?.getText();
  return url && text === provider.getText() ? [url] : [];
}

/** `new URL(url)`, or a variable. */
function isKnownAll(url: Node, place: Node): boolean {
  const [argument, ...others] = Node.isNewExpression(url) ? url.getArguments() : [url];
  return argument !== undefined && others.length === 0 && isKnownAt(argument, place);
}

/** The edit of `tokens?.access_token`; undefined for another use. */
function memberEdit(tokens: Node): Edit | undefined {
  const access = tokens.getParent();
  if (!Node.isPropertyAccessExpression(access)) return undefined;
  const to = Object.hasOwn(tokenMembers, access.getName()) ? tokenMembers[access.getName()] : undefined;
  return to === undefined ? undefined : replaced(access.getNameNode(), to);
}

/** Whether `await` may stand at a place. */
function canAwait(place: Node): boolean {
  const around = place.getAncestors().find((one) => Node.isFunctionLikeDeclaration(one));
  return around === undefined || (Node.isAsyncable(around) && around.isAsync());
}
