package lottery.app;

import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import lottery.fairness.SeedVaultConfiguration;
import lottery.fairness.UnpublishedSeedFinder;
import lottery.fairness.UnpublishedSeedFinder.SecretSeed;
import lottery.fulfilment.code.CodeCipher;
import lottery.fulfilment.code.CodeCipherConfiguration;
import lottery.store.connection.PostgresSessionAutoConfiguration;
import lottery.store.log.Logs;
import lottery.store.log.LogsAutoConfiguration;
import lottery.store.vault.PersonVault;
import lottery.store.vault.PersonVaultConfiguration;
import lottery.store.vault.SealedColumnResealer;
import lottery.store.vault.SecretCipher;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Seals all secrets in tables again with the current keys, and prints which older keys are still needed: {@code java
 * -jar lottery.jar reseal}. The program reads the same settings as a process of the lottery, but starts no part of the
 * lottery. Other processes may run meanwhile, and the program may be stopped and repeated at any time.
 */
final class SecretResealing {

    static final String NAME = "reseal";

    static final int NO_OLDER_KEY = 0;

    private static final int WRONG_USE = 1;

    /** The exit status if older keys are still needed. It differs from the status of a failed program. */
    static final int OLDER_KEYS = 2;

    /** The exit status if no configured older key is needed, but no configured key opens some of the secrets. */
    static final int UNOPENED = 3;

    /** The most rounds that are printed for a key. */
    private static final int ROUNDS_MAX = 20;

    private static final String SEEDS = "secret seeds in the log";

    private final JdbcOperations database;
    private final PlatformTransactionManager transactions;
    private final PrintStream out;

    /**
     * The older keys that are still needed. Each text has the key's name, its setting, and the kind of secrets that
     * need it.
     */
    private final SortedSet<String> needed = new TreeSet<>();

    private boolean isAllOpened = true;

    private SecretResealing(JdbcOperations database, PlatformTransactionManager transactions, PrintStream out) {
        this.database = database;
        this.transactions = transactions;
        this.out = out;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PostgresSessionAutoConfiguration.class,
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        JdbcClientAutoConfiguration.class,
        LogsAutoConfiguration.class
    })
    @Import({CodeCipherConfiguration.class, PersonVaultConfiguration.class, SeedVaultConfiguration.class})
    static class KeyConfiguration {

        @Bean
        SecureRandom random() {
            return new SecureRandom();
        }
    }

    static boolean isAskedFor(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(NAME);
    }

    /**
     * Seals the secrets again, and returns the exit status of the program. It takes the settings of a process and no
     * arguments of its own.
     */
    static int run(PrintStream out, String... arguments) {
        if (arguments.length > 1) {
            out.println("Usage: java -jar lottery.jar reseal, with the settings of the lottery in the environment.");
            return WRONG_USE;
        }
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(KeyConfiguration.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run("--spring.datasource.hikari.maximum-pool-size=1")) {
            SecretResealing resealing = new SecretResealing(
                    context.getBean(JdbcOperations.class), context.getBean(PlatformTransactionManager.class), out);
            context.getBean(CodeCipher.class).sealedColumns().forEach(resealing::reseal);
            SealedColumnResealer keysOfPersons =
                    context.getBean(PersonVault.class).sealedKeys();
            context.getBean(Logs.class).all().forEach(log -> log.run(() -> resealing.reseal(keysOfPersons)));
            resealing.list(
                    UnpublishedSeedFinder.in(context.getBean(JdbcClient.class)),
                    context.getBean(SecretCipher.class).currentKey());
            int status = resealing.verdict();
            out.flush();
            return status;
        }
    }

    private void reseal(SealedColumnResealer column) {
        column.reseal(database, transactions, resealed -> out.printf("%s: %d sealed again%n", column.name(), resealed));
        SealedColumnResealer.KeyCounts counts = column.countByKey(database);
        counts.opened().forEach((key, secrets) -> {
            out.printf("%s: %d are sealed with %s%n", column.name(), secrets, key);
            if (!key.equals(column.currentLabel())) {
                need(key, column.name());
            }
        });
        counts.unopened().forEach((key, secrets) -> {
            out.printf("%s: %d are sealed as '%s', and do not open%n", column.name(), secrets, key);
            isAllOpened = false;
        });
    }

    private void list(List<SecretSeed> seeds, String currentKey) {
        SortedMap<String, List<String>> rounds = seeds.stream()
                .collect(Collectors.groupingBy(
                        SecretSeed::key, TreeMap::new, Collectors.mapping(SecretSeed::round, Collectors.toList())));
        rounds.forEach((key, names) -> {
            String label = key + " (LOTTERY_SEEDS)";
            out.printf("%s: %d are sealed with %s%n", SEEDS, names.size(), label);
            if (!key.equals(currentKey)) {
                out.printf(
                        "  until these rounds end: %s%s%n",
                        String.join(", ", names.subList(0, Math.min(ROUNDS_MAX, names.size()))),
                        names.size() > ROUNDS_MAX ? ", and others" : "");
                need(label, SEEDS);
            }
        });
    }

    private void need(String key, String what) {
        needed.add("%s for %s".formatted(key, what));
    }

    private int verdict() {
        if (!isAllOpened) {
            out.println("Some secrets do not open with any of the keys that are here.");
        }
        if (!needed.isEmpty()) {
            out.println("Older keys are still needed: " + String.join(", ", needed) + ".");
            return OLDER_KEYS;
        }
        out.println(isAllOpened ? "No older key is needed." : "No older key is needed of those that are here.");
        return isAllOpened ? NO_OLDER_KEY : UNOPENED;
    }
}
