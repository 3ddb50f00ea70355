package lottery.app;

/**
 * The page that shows the contract and lets users try the operations. The jar does not contain this page. Only
 * {@code mvn -Drun} adds the library that has its files.
 */
final class SwaggerUiLocation {

    /** The path of the page. Everything below it belongs to the page. */
    static final String FOLDER = "/swagger-ui";

    static final String PATH = FOLDER + "/index.html";

    private static final String LIBRARY = "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

    private SwaggerUiLocation() {}

    static boolean isHere() {
        return SwaggerUiLocation.class.getResource(LIBRARY) != null;
    }
}
