package lottery.problem;

import java.util.List;
import java.util.Optional;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestHeader;
import tools.jackson.core.JacksonException;

/** Makes JSON pointers from the notations of libraries, such as {@code awards[2].rate}. */
final class JsonPointers {

    private JsonPointers() {}

    /** Returns the pointer for a path of properties. */
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

    /** Escapes the name of a property. This is needed because a caller can send a property with any name. */
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
