package lottery.problem;

import java.util.List;
import java.util.Optional;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestHeader;
import tools.jackson.core.JacksonException;

/** JSON pointers from the ways in which libraries name a place. */
final class JsonPointers {

    private JsonPointers() {}

    /** From a path of properties: {@code awards[2].rate}. */
    static String ofPath(String path) {
        return "/" + path.replace("[", "/").replace("]", "").replace('.', '/');
    }

    static String of(List<JacksonException.Reference> path) {
        StringBuilder pointer = new StringBuilder();
        for (JacksonException.Reference step : path) {
            pointer.append('/')
                    .append(Optional.ofNullable(step.getPropertyName())
                            .map(JsonPointers::escaped)
                            .orElseGet(() -> Integer.toString(step.getIndex())));
        }
        return pointer.toString();
    }

    /** A property can be named anything by who sends it. */
    private static String escaped(String property) {
        return property.replace("~", "~0").replace("/", "~1");
    }

    static String nameOf(MethodParameter parameter) {
        return Optional.ofNullable(parameter.getParameterAnnotation(RequestHeader.class))
                .map(RequestHeader::name)
                .or(() -> Optional.ofNullable(parameter.getParameterName()))
                .orElse("");
    }
}
