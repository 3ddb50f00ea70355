package lottery.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The files of the pages. Their version is a hash of their content, and is part of their URLs. */
final class PageFileLoader {

    static final String OWN = "classpath:/lottery/console/page/";

    /** The folder of the library lit-html. The path contains the version of the library. */
    static final String LIBRARY;

    private static final int VERSION_LENGTH = 16;
    private static final String PAGES = "lottery/console/page/";
    private static final String PLACE_OF_VERSION = "{version}";

    static {
        try {
            Resource[] found = new PathMatchingResourcePatternResolver()
                    .getResources("classpath*:/META-INF/resources/webjars/lit-html/*/lit-html.js");
            if (found.length != 1) {
                throw new IllegalStateException(
                        "lit-html was found " + found.length + " times in the jar, and not once");
            }
            String address = found[0].getURL().toString();
            LIBRARY = address.substring(0, address.lastIndexOf('/') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PageFileLoader() {}

    static String version() {
        try {
            PathMatchingResourcePatternResolver files = new PathMatchingResourcePatternResolver();
            List<Resource> all = new ArrayList<>(Arrays.asList(files.getResources(OWN + "**/*.*")));
            all.sort(Comparator.comparing(PageFileLoader::address));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(LIBRARY.substring(LIBRARY.indexOf("lit-html/")).getBytes(StandardCharsets.UTF_8));
            for (Resource file : all) {
                digest.update(file.getContentAsByteArray());
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, VERSION_LENGTH);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String address(Resource file) {
        try {
            return file.getURL().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the HTML of the page for players, with the version in its links. */
    static String home(String version) {
        return page("index.html", version);
    }

    /** Returns the HTML of the page for operators, with the version in its links. */
    static String operators(String version) {
        return page("operators/index.html", version);
    }

    private static String page(String name, String version) {
        try {
            return new ClassPathResource(PAGES + name)
                    .getContentAsString(StandardCharsets.UTF_8)
                    .replace(PLACE_OF_VERSION, version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
