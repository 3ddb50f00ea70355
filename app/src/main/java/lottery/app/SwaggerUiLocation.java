package lottery.app;

import org.springframework.util.ClassUtils;

/**
 * The page that shows the contract, and on which people try its operations out. The jar does not contain it: only
 * {@code mvn -Drun} adds the library that serves it.
 */
final class SwaggerUiLocation {

    /** Everything below this path belongs to the page. */
    static final String FOLDER = "/swagger-ui";

    static final String PATH = FOLDER + "/index.html";

    private static final String LIBRARY = "org.springdoc.webmvc.ui.SwaggerConfig";

    private SwaggerUiLocation() {}

    static boolean isHere() {
        return ClassUtils.isPresent(LIBRARY, null);
    }
}
