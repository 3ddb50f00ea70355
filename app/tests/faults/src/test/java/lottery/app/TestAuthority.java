package lottery.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate authority that lives as long as a test, and one certificate of it for servers on this machine. The
 * JDK's keytool makes both.
 */
final class TestAuthority {

    /** Protects files that are deleted after the test. */
    static final String PASSWORD = "of-a-test-only";

    private static final String FORMAT = "PKCS12";
    private static final String AUTHORITY = "authority";
    private static final String SERVER = "server";
    private static final int KEYTOOL_MAX_SECONDS = 30;

    private final Path folder;

    private TestAuthority(Path folder) {
        this.folder = folder;
    }

    /** Makes an authority whose files are in this folder. */
    static TestAuthority create(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        TestAuthority made = new TestAuthority(Files.createDirectories(folder));
        made.keytool(AUTHORITY, "-ext", "bc:critical=ca:true,pathlen:0");
        made.keytool(SERVER, "-signer", AUTHORITY, "-ext", "san=dns:localhost,ip:127.0.0.1");
        made.write();
        return made;
    }

    /** Returns the certificate that clients trust. */
    Path certificate() {
        return folder.resolve("authority.pem");
    }

    Path serverCertificate() {
        return folder.resolve("server.pem");
    }

    Path serverKey() {
        return folder.resolve("server.key");
    }

    /** Returns the key and the certificate of the servers, for one that is written in Java. */
    Path serverStore() {
        return folder.resolve("server.p12");
    }

    private Path all() {
        return folder.resolve("all.p12");
    }

    private void keytool(String alias, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                "CN=" + alias + " of " + folder.getFileName(),
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-storetype",
                FORMAT,
                "-keystore",
                all().toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Path output = folder.resolve("keytool.log");
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(keytool.waitFor(KEYTOOL_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(Files.readString(output)).isZero();
    }

    private void write() throws IOException, GeneralSecurityException {
        KeyStore all = KeyStore.getInstance(FORMAT);
        try (InputStream content = Files.newInputStream(all())) {
            all.load(content, PASSWORD.toCharArray());
        }
        Certificate server = all.getCertificate(SERVER);
        Key key = all.getKey(SERVER, PASSWORD.toCharArray());
        writePem(certificate(), "CERTIFICATE", all.getCertificate(AUTHORITY).getEncoded());
        writePem(serverCertificate(), "CERTIFICATE", server.getEncoded());
        writePem(serverKey(), "PRIVATE KEY", key.getEncoded());
        // PostgreSQL takes no key that others may read.
        Files.setPosixFilePermissions(serverKey(), PosixFilePermissions.fromString("rw-------"));
        KeyStore alone = KeyStore.getInstance(FORMAT);
        alone.load(null, null);
        alone.setKeyEntry(SERVER, key, PASSWORD.toCharArray(), new Certificate[] {server});
        try (OutputStream content = Files.newOutputStream(serverStore())) {
            alone.store(content, PASSWORD.toCharArray());
        }
    }

    private static void writePem(Path file, String type, byte[] content) throws IOException {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        Files.writeString(file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, lines, type));
    }
}
