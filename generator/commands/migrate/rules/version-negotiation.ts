import { type NewExpression, Node, type PropertyAssignment, SyntaxKind } from "ts-morph";
import {
  doneMark,
  type FileRewriter,
  inserted,
  isMarked,
  referencesIn,
  removedItem,
  replaced,
} from "../file-rewriter.js";
import { callOf } from "./context-members.js";
import type { Rule } from "./rule.js";

/** Replaces the option by which official clients choose a revision. */
export const versionNegotiation: Rule = {
  id: "version-negotiation",
  summary:
    "`versionNegotiation` of clients becomes the default, the option `era` of `connect`, or the option `revisions`.",
  run(rewriter) {
    const isChosen = rewriter.file.getDescendantsOfKind(SyntaxKind.PropertyAssignment).some(isChoice);
    rewriter.file.forEachDescendant((node) => {
      if (isChosen && Node.isNewExpression(node)) keepDefault(rewriter, node);
      if (Node.isPropertyAssignment(node) && node.getName() === "versionNegotiation" && !rewriteOption(rewriter, node))
        rewriter.todo(
          node,
          "the client detects the revision; pass { era } to connect, or revisions to the constructor",
          "replace-members",
        );
    });
  },
};

/**
 * Official clients speak the handshake revisions by default. Where a program chooses for other clients, it relies on that, so the client
 * keeps it; elsewhere, clients detect the revision.
 */
function keepDefault(rewriter: FileRewriter, creation: NewExpression): void {
  // A mark shows that an option of the client has been removed in an earlier pass.
  if (rewriter.officialName(creation.getExpression()) !== "Client" || isMarked(creation)) return;
  const [, options] = creation.getArguments();
  if (options && (!Node.isObjectLiteralExpression(options) || options.getProperties().some(isChoice))) return;
  const connections = connectionsOf(creation, creation);
  if (connections)
    rewriter.change(...connections.map((at) => inserted(at, `, { era: ${rewriter.string("handshake")} }`)));
}

function isChoice(member: Node): boolean {
  return (
    Node.isSpreadAssignment(member) || (Node.isPropertyAssignment(member) && member.getName() === "versionNegotiation")
  );
}

/** Returns false if a person must decide. */
function rewriteOption(rewriter: FileRewriter, option: PropertyAssignment): boolean {
  const options = option.getParentOrThrow();
  const value = option.getInitializer();
  if (!Node.isObjectLiteralExpression(options) || !Node.isObjectLiteralExpression(value)) return false;
  const members = value.getProperties();
  const [mode] = members;
  if (members.length !== 1 || !mode) return members.length === 0;
  const isShorthand = Node.isShorthandPropertyAssignment(mode);
  if ((!Node.isPropertyAssignment(mode) && !isShorthand) || mode.getName() !== "mode") return false;
  const given: Node = isShorthand ? mode.getNameNode() : mode.getInitializerOrThrow();
  const creation = options.getParent();
  const isOnly = options.getProperties().length === 1 && Node.isNewExpression(creation);
  const marks = Node.isNewExpression(creation) ? [inserted(creation.getExpression().getEnd(), doneMark)] : [];
  const removal = isOnly ? removedItem(options, creation.getArguments()) : removedItem(option, options.getProperties());
  if (isLiteral(given, "auto")) {
    rewriter.change(removal, ...marks);
    return true;
  }
  const pin = Node.isObjectLiteralExpression(given) ? given.getProperty("pin") : undefined;
  const pinned = Node.isPropertyAssignment(pin) ? pin.getInitializer() : undefined;
  if (Node.isStringLiteral(pinned)) {
    rewriter.use(`@mcpwright/protocol/${pinned.getLiteralValue()}`, "clientSide");
    rewriter.change(replaced(option, "revisions: [clientSide]"), ...marks);
    return true;
  }
  const era = pin ? undefined : eraOption(given, rewriter.string("handshake"));
  const connections = era === undefined ? undefined : connectionsOf(options.getParentOrThrow(), given);
  if (era === undefined || !connections) return false;
  rewriter.change(removal, ...marks, ...connections.map((at) => inserted(at, `, ${era}`)));
  return true;
}

function isLiteral(node: Node, value: string): boolean {
  return Node.isStringLiteral(node) && node.getLiteralValue() === value;
}

/** The options of `connect` for a mode. */
function eraOption(mode: Node, name: string): string | undefined {
  const handshake = `{ era: ${name} }`;
  if (isLiteral(mode, "legacy")) return handshake;
  if (Node.isIdentifier(mode)) return `${mode.getText()} === "legacy" ? ${handshake} : {}`;
  if (!Node.isConditionalExpression(mode)) return undefined;
  const [yes, no] = [mode.getWhenTrue(), mode.getWhenFalse()];
  const condition = mode.getCondition().getText();
  if (isLiteral(yes, "legacy") && isLiteral(no, "auto")) return `${condition} ? ${handshake} : {}`;
  return isLiteral(yes, "auto") && isLiteral(no, "legacy") ? `${condition} ? {} : ${handshake}` : undefined;
}

/** The ends of the only arguments of all `connect` calls of the client, where the mode's names are visible. */
function connectionsOf(creation: Node, mode: Node): readonly number[] | undefined {
  const declaration = Node.isNewExpression(creation) ? creation.getParent() : undefined;
  const name = Node.isVariableDeclaration(declaration) ? declaration.getNameNode() : undefined;
  if (!Node.isIdentifier(name)) return undefined;
  const ends: number[] = [];
  for (const reference of referencesIn(creation.getSourceFile(), name)) {
    const access = reference.getParent();
    if (!Node.isPropertyAccessExpression(access) || access.getName() !== "connect") continue;
    const args = callOf(access)?.getArguments() ?? [];
    const [only] = args;
    if (args.length !== 1 || !only || (mode !== creation && !isVisibleAt(mode, access))) return undefined;
    ends.push(only.getEnd());
  }
  return ends.length > 0 ? ends : undefined;
}

function isVisibleAt(mode: Node, place: Node): boolean {
  const names = [mode, ...mode.getDescendants()].filter(Node.isIdentifier);
  return names.every((name) => {
    const [declaration] = name.getSymbol()?.getDeclarations() ?? [];
    const scope = declaration
      ?.getAncestors()
      .find((one) => Node.isBlock(one) || Node.isSourceFile(one) || Node.isFunctionLikeDeclaration(one));
    return (
      scope === undefined ||
      place.getAncestors().includes(scope) ||
      declaration?.getSourceFile() !== place.getSourceFile()
    );
  });
}
