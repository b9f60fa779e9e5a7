import { type NewExpression, Node, type ObjectLiteralExpression, type PropertyAssignment, SyntaxKind } from "ts-morph";
import { doneMark, type FileRewriter, inserted, isMarked, removedItem, replaced } from "../file-rewriter.js";
import { addOption } from "./callback-options.js";
import type { Rule } from "./rule.js";

/** Gives clients the options by which they behave as those of the official SDK, where a program relies on it. */
export const clientOptions: Rule = {
  id: "client-options",
  summary:
    "`inputRequired` becomes `maxRounds`; clients of programs that use `cacheMode`, or look into errors with URLs, get the options for that.",
  run(rewriter) {
    const clients = rewriter.file
      .getDescendantsOfKind(SyntaxKind.NewExpression)
      .filter((one) => rewriter.officialName(one.getExpression()) === "Client");
    const [cacheMode] = membersNamed(rewriter, "cacheMode");
    if (cacheMode && clients.length === 0)
      rewriter.todo(
        cacheMode,
        "cacheMode needs the option of the client, which is created elsewhere: cache: new ResponseCache()",
        "servers-and-clients",
      );
    else if (cacheMode && give(rewriter, clients, "cache", "new ResponseCache()"))
      rewriter.use("@mcpwright/runtime/client", "ResponseCache");
    const [urlError] = rewriter.file.getDescendants().filter((one) => isUrlError(rewriter, one));
    if (urlError) keepUrlErrors(rewriter, clients, urlError);
    for (const option of membersNamed(rewriter, "inputRequired")) ofInputRequired(rewriter, option);
  },
};

function membersNamed(rewriter: FileRewriter, name: string): readonly PropertyAssignment[] {
  return rewriter.file
    .getDescendantsOfKind(SyntaxKind.PropertyAssignment)
    .filter((one) => one.getName() === name && usesSdk(rewriter));
}

function usesSdk({ file }: FileRewriter): boolean {
  return /["']@modelcontextprotocol\//.test(file.getFullText());
}

/** Adds an option to all clients that do not have it. Returns whether one gets it. */
function give(rewriter: FileRewriter, clients: readonly NewExpression[], name: string, value: string): boolean {
  let isGiven = false;
  for (const client of clients) {
    const options = client.getArguments()[1];
    if (Node.isObjectLiteralExpression(options) && options.getProperty(name)) continue;
    // A subclass of another program may pass on no options.
    rewriter.change(...addOption(client, name, value));
    isGiven = true;
  }
  return isGiven;
}

/** Whether a node looks into an error that has URLs: by its class, or by its code. */
function isUrlError(rewriter: FileRewriter, node: Node): boolean {
  if (Node.isPropertyAccessExpression(node))
    return (
      node.getName() === "UrlElicitationRequired" &&
      /^(?:Protocol)?ErrorCode$/.test(rewriter.officialName(node.getExpression()) ?? "")
    );
  if (Node.isPrefixUnaryExpression(node)) return /^-32_?042$/.test(node.getText()) && usesSdk(rewriter);
  return (
    Node.isBinaryExpression(node) &&
    node.getOperatorToken().getText() === "instanceof" &&
    rewriter.officialName(node.getRight()) === "UrlElicitationRequiredError"
  );
}

/** Clients of ours visit the URLs by the handler of the program, and call again; official ones leave that to the program. */
function keepUrlErrors(rewriter: FileRewriter, clients: readonly NewExpression[], error: Node): void {
  const isServer = /["']@modelcontextprotocol\/(?:server|sdk\/server)/.test(rewriter.file.getFullText());
  const isClient = /["']@modelcontextprotocol\/(?:client|sdk\/client)/.test(rewriter.file.getFullText());
  if (clients.length > 0 && !isServer) give(rewriter, clients, "completeUrlElicitations", "false");
  else if (isClient || !isServer)
    rewriter.todo(
      error,
      "clients answer such errors themselves, unless they have the option completeUrlElicitations: false; they throw RemoteUrlElicitationRequiredError",
      "questions-to-the-user",
    );
}

/** `inputRequired: { autoFulfill: false }` and `inputRequired: { maxRounds: 3 }`. */
function ofInputRequired(rewriter: FileRewriter, option: PropertyAssignment): void {
  const [options, value] = [option.getParent(), option.getInitializer()];
  if (!Node.isObjectLiteralExpression(options) || !isOfClient(rewriter, options)) return;
  const rounds = Node.isObjectLiteralExpression(value) ? roundsOf(value) : undefined;
  if (rounds === undefined)
    rewriter.todo(
      option,
      "inputRequired is the option maxRounds: 0 leaves results that ask for input to the calls with allowInputRequired",
      "questions-to-the-user",
    );
  else if (rounds !== "") rewriter.change(replaced(option, `maxRounds: ${rounds}`));
  else {
    const creation = options.getParent();
    const isOnly = options.getProperties().length === 1 && Node.isNewExpression(creation);
    rewriter.change(
      isOnly ? removedItem(options, creation.getArguments()) : removedItem(option, options.getProperties()),
      ...(Node.isNewExpression(creation) && !isMarked(creation)
        ? [inserted(creation.getExpression().getEnd(), doneMark)]
        : []),
    );
  }
}

function isOfClient(rewriter: FileRewriter, options: ObjectLiteralExpression): boolean {
  const creation = options.getParent();
  if (Node.isNewExpression(creation)) return rewriter.officialName(creation.getExpression()) === "Client";
  const type = options.getContextualType()?.getNonNullableType();
  const symbol = type?.getAliasSymbol() ?? type?.getSymbol();
  return (
    symbol?.getName() === "ClientOptions" &&
    symbol.getDeclarations().some((one) => one.getSourceFile().getFilePath() === rewriter.typesPath)
  );
}

/** The value of `maxRounds`; empty for the default, undefined if a person must decide. */
function roundsOf(value: ObjectLiteralExpression): string | undefined {
  const known = new Map<string, string>();
  for (const member of value.getProperties()) {
    if (!Node.isPropertyAssignment(member) || !/^(?:autoFulfill|maxRounds)$/.test(member.getName())) return undefined;
    known.set(member.getName(), member.getInitializerOrThrow().getText());
  }
  switch (known.get("autoFulfill")) {
    case undefined:
    case "true":
      return known.get("maxRounds") ?? "";
    case "false":
      return "0";
    default:
      return undefined;
  }
}
