package lottery.app;

import static java.util.Map.entry;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;

/**
 * Describes each parameter in the REST contract. A parameter has the same meaning in all operations, unless an
 * operation is named here. The examples fit those of requests and answers.
 */
final class ParameterDescriptionCustomizer implements OpenApiCustomizer {

    private static final String KEY = "33-01a212c0-ff4d-750b-86bc-9608f4393a59";

    /** @param example an example; null for a parameter that is usually omitted */
    private record Meaning(String text, @Nullable Object example) {}

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            entry("activityId", example("The number of the activity", 200)),
            entry("userId", example("The id of the user, as the caller's system knows it", "ann")),
            entry("strategyId", example("The number of the strategy", 200)),
            entry("treeId", example("The number of the decision tree", 1)),
            entry("awardId", example("The number of the award in its strategy", 211)),
            entry("entryNo", example("The number of the entry, from the response that created it", 3)),
            entry("winsAfter", note("The place after which the page of wins begins; the default is the first page")),
            entry("orderId", example("The id of the raffle order, from the response that created it", "order:" + KEY)),
            entry(
                    "awardRecordId",
                    example(
                            "The id of the won award, from the response to the draw or from a list of awards",
                            "award:" + KEY)),
            entry(
                    "rechargeId",
                    example("The id of the recharge, from the response that created it", "recharge:" + KEY)),
            entry("paymentId", example("The id of the payment, from the response that created it", "payment:" + KEY)),
            entry("provider", example("The provider of payments that sends the message", "simulator")),
            entry("getPaymentQrCode.provider", note("The provider; the default is the one that was asked last")),
            entry("putPaymentStatement.provider", example("The provider whose statement it is", "alipay")),
            entry("day", example("The day of the statement", "2026-11-25")),
            entry("explained", note("Whether to return explained differences")),
            entry("putPaymentStatement.zone", note("The time zone of the statement, such as Asia/Shanghai")),
            entry("exportTrades.zone", note("The time zone of the days and times, such as Asia/Shanghai")),
            entry("exportTrades.from", note("The first day")),
            entry("exportTrades.to", note("The last day")),
            entry("ruleId", example("The number of the rebate rule", 1)),
            entry(
                    "behaviourId",
                    example("The id of the behaviour, from the response that created it", "behaviour:" + KEY)),
            entry(
                    "proposalId",
                    example("The id of the proposal, from the response that created it", "proposal:" + KEY)),
            entry("index", example("The index of the rebate in its rule, from 0", 0)),
            entry("processor", example("The name of the read model, or of the group of sagas", "wins")),
            entry("position", example("The position of the event in the log", 4711)),
            entry("name", example("The name of the read model", "wins")),
            entry("account", example("The name of the account", "olga")),
            entry("listAccounts.name", note("The first characters of the account names")),
            entry("id", example("The number of the dead letter", 1)),
            entry(
                    "retrySaga.id",
                    example("The award record, activity, recharge, payment or behaviour of the saga", "award:" + KEY)),
            entry("kind", example("The kind of saga: grant, activity, pool, recharge, payment or rebate", "grant")),
            entry("waitsFor", example("What the awards wait for: release or person", "person")),
            entry("month", example("The month; the default is the current month", "2026-11")),
            entry(
                    "zone",
                    note("The time zone of the user, such as Europe/Berlin; the default is the zone of the lottery")),
            entry("cursor", note("The `next` of the previous page; the default is the first page")),
            entry("limit", note("The largest number of items")),
            entry("state", note("Only items in this state")),
            entry("version", note("The version of the strategy; the default is the newest one")),
            entry("outBusinessNo", note("Only the recharge with this number")),
            entry("contentId", note("Only this content")),
            entry(
                    "from",
                    note("The first day; the default is 29 days before the last day, so that the range has 30 days")),
            entry("to", note("The last day; the default is 29 days after from, or today if from is absent, too")),
            entry("actor", note("Only decisions of this caller")),
            entry("listPersonalReads.actor", note("Only reads of this caller")),
            entry("subject", note("Only decisions about this subject, such as activity:200")),
            entry("topic", note("Only messages of this topic, such as lottery_fulfilment")),
            entry("sequence", note("All events of this sequence, which is the id of a user or of an aggregate")),
            entry("dropped", note("Whether to return dropped events")),
            entry(
                    "lastEventId",
                    note("The position after which the stream begins; by default it begins with the next winner")),
            entry(
                    "Idempotency-Key",
                    note(
                            "Chosen by the caller. Send the same key to repeat a request, and a new key for each new request.")),
            entry(
                    "Prefer",
                    note("respond-async: the request waits in the queue, and the response comes before the draw")),
            entry("If-Match", note("The version on which the change is based: the ETag of the read")),
            entry("editActivity.If-Match", note("The definitionVersion of the review on which the change is based")));

    private static Meaning example(String text, Object example) {
        return new Meaning(text, example);
    }

    private static Meaning note(String text) {
        return new Meaning(text, null);
    }

    @Override
    public void customise(OpenAPI api) {
        api.getPaths().values().stream()
                .flatMap(item -> item.readOperations().stream())
                .forEach(operation -> Stream.ofNullable(operation.getParameters())
                        .flatMap(List::stream)
                        .forEach(parameter -> explain(operation, parameter)));
    }

    private static void explain(Operation operation, Parameter parameter) {
        Meaning own = MEANINGS.get(operation.getOperationId() + "." + parameter.getName());
        Meaning meaning = own == null ? MEANINGS.get(parameter.getName()) : own;
        if (meaning != null) {
            parameter.setDescription(meaning.text());
            parameter.setExample(meaning.example());
        }
    }
}
