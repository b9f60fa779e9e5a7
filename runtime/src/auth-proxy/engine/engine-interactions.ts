import type { IncomingMessage, ServerResponse } from "node:http";
import { errors, type Provider } from "oidc-provider";
import { pathAndQuery, targetOf } from "../../node/request-target.js";
import { paths } from "../endpoints.js";
import { toEngineRequest } from "./engine-request.js";
import type {
  ApprovingBrowser,
  AuthorizationFailure,
  PendingAuthorization,
  PendingAuthorizations,
} from "../proxy-pages.js";
import type { ProxySettings } from "../proxy-settings.js";

type Interaction = InstanceType<Provider["Interaction"]>;

/** The authorization requests that oidc-provider keeps as interactions. */
export class EngineInteractions implements PendingAuthorizations {
  constructor(
    readonly provider: Provider,
    readonly settings: ProxySettings,
  ) {}

  async ofBrowser(request: IncomingMessage, response: ServerResponse): Promise<PendingAuthorization | undefined> {
    const path = pathAndQuery(targetOf(request)).replace(/\?.*/s, "").slice(this.settings.basePath.length);
    try {
      const interaction = await this.provider.interactionDetails(
        toEngineRequest(request, this.settings, { path, accept: "text/html" }),
        response,
      );
      if (interaction.result || !`${path}/`.startsWith(`${paths.consent}/${interaction.uid}/`)) return undefined;
      return await this.#describe(interaction);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  async find(uid: string): Promise<PendingAuthorization | undefined> {
    const interaction = await this.#unfinished(uid);
    return interaction && this.#describe(interaction);
  }

  async approve(
    uid: string,
    accountId: string,
    scopes: readonly string[],
    { cookieName, browserHash }: ApprovingBrowser,
  ): Promise<string | undefined> {
    const interaction = await this.#unfinished(uid);
    if (!interaction) return undefined;
    const { client_id: clientId = "", scope = "" } = interaction.params as Readonly<Record<string, string | undefined>>;
    const requested = scope.split(" ");
    const grant = new this.provider.Grant({ accountId, clientId });
    grant.addResourceScope(this.settings.resource, scopes.filter((name) => requested.includes(name)).join(" "));
    const grantId = await grant.save();
    return this.#finish(interaction, {
      login: { accountId, remember: false },
      consent: { grantId },
      browser: { cookieName, browserHash },
    });
  }

  async refuse(uid: string, error: AuthorizationFailure, description: string): Promise<string | undefined> {
    const interaction = await this.#unfinished(uid);
    return interaction && this.#finish(interaction, { error, error_description: description });
  }

  async #unfinished(uid: string): Promise<Interaction | undefined> {
    const interaction = await this.provider.Interaction.find(uid);
    return interaction?.result ? undefined : interaction;
  }

  async #finish(interaction: Interaction, result: NonNullable<Interaction["result"]>): Promise<string> {
    interaction.result = result;
    await interaction.persist();
    return interaction.returnTo;
  }

  async #describe({ uid, params, exp }: Interaction): Promise<PendingAuthorization | undefined> {
    const {
      client_id: clientId = "",
      redirect_uri: redirectUri = "",
      scope = "",
      prompt = "",
    } = params as Readonly<Record<string, string | undefined>>;
    const client = await this.provider.Client.find(clientId);
    if (!client) return undefined;
    const isKnown = this.settings.clients.some((known) => known.clientId === clientId);
    return {
      uid,
      clientId,
      clientName: client.clientName,
      clientKind: isKnown ? "known" : /^https:\/\//i.test(clientId) ? "document" : "registered",
      redirectUri,
      scopes: scope.split(" "),
      promptsConsent: prompt.split(" ").includes("consent"),
      expiresAt: exp * 1_000,
    };
  }
}
