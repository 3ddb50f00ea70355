package lottery.messaging.feed;

import java.util.List;
import java.util.Map;
import lottery.messaging.KafkaTopics;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the AsyncAPI 3.0 document about all topics of the lottery. */
final class AsyncApi {

    private static final String BINDING_VERSION = "0.5.0";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** The suffix of a message's name among the dead letters. */
    private static final String DEAD = ".dead";

    private static final Map<String, String> HEADERS = Map.of(
            "ce_specversion", "The version of CloudEvents: 1.0.",
            "ce_id", "The same in each copy of a message: who has seen it has seen the message.",
            "ce_type", "The type with its version.",
            "ce_source", "Who has written it.",
            "ce_subject", "What it is about.",
            "ce_time", "When that happened.",
            "content-type", "application/json.");

    /** A topic, its purpose, and whether the lottery reads or writes it. */
    private record Topic(String address, Action action, String text, String key, List<MessageContract> messages) {

        /** Returns whether the lottery or its own fulfilment reads the topic: only then are there dead letters. */
        private boolean hasDeadLetters() {
            return !isFeed();
        }

        private boolean isFeed() {
            return address.equals(KafkaTopics.EVENTS);
        }
    }

    private static final List<Topic> TOPICS = List.of(
            new Topic(
                    KafkaTopics.INVOICE,
                    Action.SEND,
                    "Asks fulfilment to hand an award over.",
                    "The user.",
                    MessageContract.invoices()),
            new Topic(
                    KafkaTopics.FULFILMENT,
                    Action.RECEIVE,
                    "Fulfilment's answer: handed over, or not.",
                    "The award record.",
                    MessageContract.answers()),
            new Topic(
                    KafkaTopics.BEHAVIOURS,
                    Action.RECEIVE,
                    "Other systems report what users have done, and the rebates for it are given.",
                    "The user, as in the content.",
                    MessageContract.behaviours()),
            new Topic(
                    KafkaTopics.DRAW_REQUESTS,
                    Action.SEND,
                    "A request for a draw was accepted and waits for its turn. The lottery itself reads it and draws.",
                    "The activity, so that its requests are drawn in their order.",
                    MessageContract.drawRequests()),
            new Topic(
                    KafkaTopics.EVENTS,
                    Action.SEND,
                    "The public feed: what has happened, for everybody.",
                    "The user, or for what happened to none of them the activity.",
                    MessageContract.events()));

    private enum Action {
        SEND("send"),
        RECEIVE("receive");

        private final String text;

        Action(String text) {
            this.text = text;
        }
    }

    private AsyncApi() {}

    static String document() {
        ObjectNode root = node();
        root.put("asyncapi", "3.0.0");
        root.set(
                "info",
                node().put("title", "Lottery")
                        .put("version", "1")
                        .put(
                                "description",
                                "CloudEvents 1.0 in binary mode, at least once and in order per key. Fields may be"
                                        + " added: a reader passes over what it does not know."));
        root.put("defaultContentType", "application/json");
        ObjectNode channels = root.putObject("channels");
        ObjectNode operations = root.putObject("operations");
        ObjectNode components = root.putObject("components");
        ObjectNode messages = components.putObject("messages");
        ObjectNode schemas = components.putObject("schemas");
        for (Topic topic : TOPICS) {
            channels.set(topic.address, channel(topic, topic.address, topic.text, ""));
            operations.set(topic.address, operation(topic, topic.address, topic.action, topic.text, ""));
            for (MessageContract contract : topic.messages) {
                messages.set(contract.type(), message(topic, contract, false));
                schemas.set(contract.type(), schema(contract));
            }
            if (topic.hasDeadLetters()) {
                String address = topic.address + "_dlt";
                String text = "What came on " + topic.address
                        + " and could not be read, as it came: it need not be what it should have been.";
                channels.set(address, channel(topic, address, text, DEAD));
                operations.set(address, operation(topic, address, Action.SEND, text, DEAD));
                topic.messages.forEach(
                        contract -> messages.set(contract.type() + DEAD, message(topic, contract, true)));
            }
        }
        return JSON.writeValueAsString(root) + "\n";
    }

    private static ObjectNode channel(Topic topic, String address, String text, String suffix) {
        ObjectNode channel = node().put("address", address).put("description", text);
        ObjectNode messages = channel.putObject("messages");
        for (MessageContract contract : topic.messages) {
            String name = contract.type() + suffix;
            messages.set(name, reference("#/components/messages/" + name));
        }
        return channel;
    }

    private static ObjectNode operation(Topic topic, String address, Action action, String text, String suffix) {
        ObjectNode operation = node().put("action", action.text);
        operation.set("channel", reference("#/channels/" + address));
        operation.put("summary", text);
        var messages = operation.putArray("messages");
        topic.messages.forEach(contract ->
                messages.add(reference("#/channels/%s/messages/%s".formatted(address, contract.type() + suffix))));
        return operation;
    }

    private static ObjectNode message(Topic topic, MessageContract contract, boolean dead) {
        ObjectNode message = node().put("name", contract.type()).put("contentType", "application/json");
        message.set("headers", headers(topic, contract, dead));
        message.set("payload", reference("#/components/schemas/" + contract.type()));
        ObjectNode kafka = message.putObject("bindings").putObject("kafka");
        kafka.set("key", node().put("type", "string").put("description", topic.key));
        kafka.put("bindingVersion", BINDING_VERSION);
        if (!dead) {
            message.putArray("examples").addObject().set("payload", JSON.readTree(contract.sampleJson()));
        }
        return message;
    }

    private static ObjectNode headers(Topic topic, MessageContract contract, boolean dead) {
        ObjectNode headers = node().put("type", "object");
        ObjectNode properties = headers.putObject("properties");
        var required = headers.putArray("required");
        HEADERS.keySet().stream().sorted().forEach(name -> {
            properties.set(name, text(HEADERS.getOrDefault(name, "")));
            if (!dead) {
                required.add(name);
            }
        });
        if (!dead) {
            properties.set("ce_type", text("The type with its version.").put("const", contract.type()));
        }
        if (topic.isFeed()) {
            properties.set(
                    "ce_sequence",
                    text("The place of its event among all events of the lottery, filled up with zeros: later is"
                                    + " greater.")
                            .put("pattern", "^[0-9]{19}$"));
            required.add("ce_sequence");
        }
        if (isInvoice(topic)) {
            properties.set(
                    "ce_awardtype",
                    text("The type of the award, as in the content: who hands over others need not read it."));
        }
        if (topic.address.equals(KafkaTopics.FULFILMENT)) {
            properties.set(
                    "ce_sender",
                    text("The sender who has signed the answer. Required if the operator has named senders.")
                            .put("pattern", "^[a-z0-9]{1,40}$"));
            properties.set(
                    "ce_signature",
                    text("The HMAC-SHA256 of ce_sender, ce_id and the key, with a line end behind each, and of the"
                                    + " content. Required if the operator has named senders.")
                            .put("pattern", "^[0-9a-f]{64}$"));
        }
        if (topic.address.equals(KafkaTopics.DRAW_REQUESTS)) {
            properties.set("ce_actor", text("The caller whose request it was, where callers are known."));
            properties.set("ce_actorrole", text("The role in which the caller asked."));
        }
        properties.set("ce_traceparent", text("The trace that it follows from, as in W3C's Trace Context."));
        properties.set("traceparent", text("The same, for who traces all that goes through Kafka."));
        if (dead) {
            properties.set("lottery_cause", text("Why it could not be read, for people."));
            required.add("lottery_cause");
        }
        return headers;
    }

    private static boolean isInvoice(Topic topic) {
        return topic.address.equals(KafkaTopics.INVOICE);
    }

    /** Removes the dialect of the schema. AsyncAPI has its own, in which our keywords mean the same. */
    private static JsonNode schema(MessageContract contract) {
        ObjectNode schema = (ObjectNode) JSON.readTree(contract.schema());
        schema.remove("$schema");
        return schema;
    }

    private static ObjectNode text(String description) {
        return node().put("type", "string").put("description", description);
    }

    private static ObjectNode reference(String target) {
        return node().put("$ref", target);
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }
}
