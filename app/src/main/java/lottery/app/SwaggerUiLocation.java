package lottery.app;

import org.springframework.util.ClassUtils;

/**
 * The page that shows the contract and lets users try the operations. The jar does not contain this page. Only
 * {@code mvn -Drun} adds the library that serves it.
 */
final class SwaggerUiLocation {

    /** The path of the page. Everything below it belongs to the page. */
    static final String FOLDER = "/swagger-ui";

    static final String PATH = FOLDER + "/index.html";

    private static final String LIBRARY = "org.springdoc.webmvc.ui.SwaggerConfig";

    private SwaggerUiLocation() {}

    static boolean isHere() {
        return ClassUtils.isPresent(LIBRARY, null);
    }
}
