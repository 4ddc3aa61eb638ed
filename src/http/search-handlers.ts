/**
 * The operations that ask sources per question (§4.3 to §4.7a, §4.12a, §4.12b): a question, its
 * deadline, its reply.
 */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { Caller } from "#app/access/request-caller.ts";
import type { SourceReply } from "#app/one-source.ts";
import { answersOf, type Searches } from "#app/places/searches.ts";
import type { ReadySearch, SearchInput, SearchRefusal, SearchReply } from "#app/search-reply.ts";
import type { UnknownStation } from "#app/transit/departure-search.ts";
import type { Weather, WeatherQuestion } from "#app/weather/weather-search.ts";
import type { Operation } from "#api/operation.ts";
import { type Deadlines, findOperation } from "#api/operations.ts";
import type { Clock } from "#ports.ts";
import { readyLines, sendData, toCacheControl } from "./data.ts";
import { sendProblem } from "./error-replies.ts";
import { type Exchange, resume } from "./http-exchange.ts";
import type { Gate } from "./gate.ts";
import type { Handler, Handlers, QuestionOf, ReplyOf } from "./handler.ts";
import { JSON_TYPE } from "./reply-headers.ts";
import { watch } from "./presence.ts";

export type SearchHandlerDeps = { clock: Clock; gate: Gate; searches: Searches; weather: Weather };

type TableId = keyof ReturnType<typeof answersOf>;
type SearchId = TableId | "getWeather" | "getForecast";

type Ask<Id extends SearchId> = ((
  input: SearchInput<QuestionOf<Id>>,
) => Promise<
  SearchReply<ReplyOf<Id>> | SearchRefusal | UnknownStation | SourceReply<ReplyOf<Id>>
>) & { atOnce?: ReadySearch<QuestionOf<Id>> };

export function createSearchHandlers(
  { clock, gate, searches, weather }: SearchHandlerDeps,
  deadlines_ms: Deadlines,
): Pick<Handlers, SearchId> {
  const queryOf = <Id extends SearchId>(id: Id, ask: Ask<Id>): Handler<QuestionOf<Id>, Caller> => {
    const operation = findOperation<SearchId>(id);
    const budget_ms = deadlines_ms[operation.deadline.name];
    return async (exchange, caller, question) => {
      const now_ms = clock.now();
      const keyed = caller.kind === "keyed";
      const input = { question, deadline_ms: now_ms + budget_ms, now_ms, keyed };
      const ready = ask.atOnce?.({ ...input, signal: NEVER }) ?? null;
      if (ready !== null) {
        const { bytes, max_age_s, metered } = ready;
        const send = (): void => sendBody(exchange, { operation, caller }, bytes, max_age_s);
        return gate.release(exchange, { operation, caller, metered }, { send });
      }
      const presence = watch(exchange);
      const reply = await ask({ ...input, signal: presence.signal });
      presence.end();
      resume(exchange);
      if ("kind" in reply && reply.kind !== "ok") return sendProblem(exchange, operation, reply);
      const metered = "metered" in reply ? reply.metered : ONE_ANSWER;
      const send = (): void =>
        sendBody(exchange, { operation, caller }, JSON.stringify(reply.body), reply.max_age_s);
      return gate.release(exchange, { operation, caller, metered }, { send });
    };
  };
  const table: { [Id in TableId]: Ask<Id> } = answersOf(searches);
  const ids = Object.keys(table) as TableId[];
  const handlers = ids.map(<Id extends TableId>(id: Id) => [id, queryOf(id, table[id])] as const);
  return {
    ...(Object.fromEntries(handlers) as Pick<Handlers, TableId>),
    getWeather: queryOf("getWeather", (input) => weather.weather(toWeatherInput(input))),
    getForecast: queryOf("getForecast", (input) => weather.forecast(toWeatherInput(input))),
  };
}

function toWeatherInput({
  question: { coords, lang },
  ...input
}: SearchInput<QuestionOf<"getWeather">>): SearchInput<WeatherQuestion> {
  return { ...input, question: { ...coords, language: lang } };
}

/** Of an answer that waits for nothing. */
const NEVER = new AbortController().signal;

function sendBody(
  exchange: Exchange,
  { operation, caller }: { operation: Operation; caller: Caller },
  body: string | Uint8Array,
  max_age_s: number | null,
): void {
  resume(exchange);
  const cache_control = toCacheControl(caller.kind, max_age_s);
  const ready = readyLines(operation, JSON_TYPE, cache_control, exchange.token_used);
  sendData(exchange, { status: 200, ready, headers: [], body });
}
