package lottery.bench.invariant;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The payload of an event, or a part of it.
 *
 * @param path the path of the part within the payload, for messages
 */
public record ParsedEventPayload(String path, JsonNode node) {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?");

    /** Parses a payload. A payload that is not JSON has no fields, and every attempt to read a field fails. */
    public static ParsedEventPayload of(byte[] payload) {
        try {
            return new ParsedEventPayload("", JSON.readTree(payload));
        } catch (JacksonException notJson) {
            return new ParsedEventPayload("", MissingNode.getInstance());
        }
    }

    public boolean isObject() {
        return node.isObject();
    }

    public boolean has(String field) {
        return node.hasNonNull(field);
    }

    public ParsedEventPayload in(String field) {
        return new ParsedEventPayload(path + field + ".", node.path(field));
    }

    public List<ParsedEventPayload> each(String field) {
        JsonNode array = node.path(field);
        if (!array.isArray()) {
            throw without(field, "list");
        }
        return StreamSupport.stream(array.spliterator(), false)
                .map(element -> new ParsedEventPayload(path + field + ".", element))
                .toList();
    }

    /**
     * Returns the text as PostgreSQL writes {@code jsonb}, without null fields: short names come first, and a blank
     * follows each comma and colon.
     */
    public String canonical() {
        return canonical(node);
    }

    private static String canonical(JsonNode node) {
        if (node.isObject()) {
            return node.propertyStream()
                    .filter(property -> !property.getValue().isNull())
                    .sorted(Map.Entry.comparingByKey(
                            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())))
                    .map(property -> JSON.writeValueAsString(property.getKey()) + ": " + canonical(property.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (node.isArray()) {
            return node.valueStream().map(ParsedEventPayload::canonical).collect(Collectors.joining(", ", "[", "]"));
        }
        return JSON.writeValueAsString(node);
    }

    public List<String> texts(String field) {
        return each(field).stream()
                .map(element -> {
                    if (!element.node().isString()) {
                        throw without(field, "list of texts");
                    }
                    return element.node().stringValue();
                })
                .toList();
    }

    public List<Long> numbers(String field) {
        return each(field).stream()
                .map(element -> {
                    if (!isLong(element.node())) {
                        throw without(field, "list of whole numbers");
                    }
                    return element.node().longValue();
                })
                .toList();
    }

    public String text(String field) {
        JsonNode value = node.path(field);
        if (!value.isString()) {
            throw without(field, "text");
        }
        return value.stringValue();
    }

    public long number(String field) {
        JsonNode value = node.path(field);
        if (!isLong(value)) {
            throw without(field, "whole number");
        }
        return value.longValue();
    }

    private static boolean isLong(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong();
    }

    public boolean flag(String field) {
        JsonNode value = node.path(field);
        if (!value.isBoolean()) {
            throw without(field, "yes or no");
        }
        return value.booleanValue();
    }

    /**
     * Returns whether the field is a decimal without an exponent. An exponent could make a sum of short numbers very
     * long.
     */
    public boolean isDecimal(String field) {
        return DECIMAL.matcher(node.path(field).asString("")).matches();
    }

    public BigDecimal decimal(String field) {
        if (!isDecimal(field)) {
            throw without(field, "decimal number");
        }
        return new BigDecimal(text(field));
    }

    public LocalDate day(String field) {
        try {
            return LocalDate.parse(text(field));
        } catch (DateTimeException notDay) {
            throw without(field, "day");
        }
    }

    public Instant instant(String field) {
        try {
            return Instant.parse(text(field));
        } catch (DateTimeException notInstant) {
            throw without(field, "moment");
        }
    }

    private UnreadablePayloadException without(String field, String kind) {
        return new UnreadablePayloadException("has no " + kind + " in " + path + field);
    }
}
