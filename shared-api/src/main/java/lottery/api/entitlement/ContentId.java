package lottery.api.entitlement;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The id of content in the system that keeps it, such as a course or an article. */
public record ContentId(@JsonValue String value) {

    /** The pattern of each id. */
    public static final String PATTERN = "[A-Za-z0-9._:-]{1,64}";

    /** The key of the id in the config of an award. */
    public static final String KEY = "contentId";

    private static final Pattern SHAPE = Pattern.compile(PATTERN);

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ContentId {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException("a content id is 1 to 64 letters, digits, dots, colons, hyphens or _");
        }
    }

    /** Returns the content that an award with this config gives; empty if the config does not say it. */
    public static Optional<ContentId> ofAward(Map<String, String> config) {
        return Optional.ofNullable(config.get(KEY))
                .filter(value -> SHAPE.matcher(value).matches())
                .map(ContentId::new);
    }

    @Override
    public String toString() {
        return value;
    }
}
