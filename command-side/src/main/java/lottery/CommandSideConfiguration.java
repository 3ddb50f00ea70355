package lottery;

import static org.springframework.context.annotation.FilterType.ANNOTATION;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import lottery.limit.LimitConfiguration;
import lottery.limit.SharedBuckets;
import lottery.store.AggregateCache;
import lottery.store.axon.HistoryReader;
import lottery.store.command.CommandSender;
import lottery.store.log.Logs;
import lottery.store.pace.AdmissionControl;
import lottery.store.processing.ProcessorStart;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventsourcing.EventCountSnapshotTriggerDefinition;
import org.axonframework.eventsourcing.SnapshotTriggerDefinition;
import org.axonframework.eventsourcing.Snapshotter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.RestController;

/** Configures the aggregates and all that they need to decide. */
@Configuration(proxyBeanMethods = false)
@Import(LimitConfiguration.class)
@ComponentScan(
        basePackages = CommandSideConfiguration.PACKAGES,
        // Only processes that serve players and operators have controllers: see CommandEndpointsConfiguration.
        excludeFilters = @ComponentScan.Filter(type = ANNOTATION, classes = RestController.class))
public class CommandSideConfiguration {

    /** The packages of the command side. The package above them has the other modules, too. */
    static final String PACKAGES = """
            lottery.activity,lottery.strategy,lottery.account,lottery.recharge,lottery.queue,lottery.raffle,lottery.award,
            lottery.ban,lottery.choice,lottery.credit,lottery.entitlement,lottery.stock,lottery.fairness,lottery.person,
            lottery.pool,lottery.payment,lottery.proposal,lottery.rebate,lottery.signin""";

    private static final String CACHES = "caches";

    /** The number of accounts in memory. An account takes about one kilobyte. */
    private static final long CACHED_ACCOUNTS_MAX = 100_000;

    /** The number of credit accounts in memory, about half a kilobyte each. */
    private static final long CACHED_CREDITS_MAX = 50_000;

    private static final long CACHED_POOLS_MAX = 100;
    private static final long CACHED_REBATES_MAX = 50_000;

    /** The number of events after which a new snapshot of an account, or of another aggregate of a user, is made. */
    private static final int EVENTS_PER_SNAPSHOT = 100;

    private static final long CACHED_AWARDS_MAX = 50_000;

    /**
     * How long an unused award record stays in memory. It is used a few times in its first second, and seldom after
     * that.
     */
    private static final Duration AWARD_IDLE_MAX = Duration.ofSeconds(10);

    /** This advice is also needed in a process whose only commands come from the desk. */
    @Bean
    PositionHeaderAdvice positionsInAnswers(EventStore events, Logs logs) {
        return new PositionHeaderAdvice(events, logs);
    }

    @Bean
    FilterRegistrationBean<PositionHeaderAdvice.WrittenPositionFilter> positionsOfCommands() {
        FilterRegistrationBean<PositionHeaderAdvice.WrittenPositionFilter> registration =
                new FilterRegistrationBean<>(new PositionHeaderAdvice.WrittenPositionFilter());
        registration.setUrlPatterns(Set.of("/api/*"));
        return registration;
    }

    @Bean
    BannedUsers bannedUsers(HistoryReader history, InstantSource clock) {
        return new BannedUsers(history, clock);
    }

    @Bean
    EndpointCommandSender commands(
            CommandSender sender,
            AdmissionControl admission,
            BannedUsers banned,
            SharedBuckets limits,
            @Value("${lottery.limits.player-draws:0}") int playerDraws) {
        PlayerRateLimiter players = new PlayerRateLimiter(limits.limiter("player", playerDraws));
        return new EndpointCommandSender(sender, admission, players, banned);
    }

    @Bean
    CommandTargets commandTargets() {
        return new CommandTargets();
    }

    @Bean
    Cache accountCache(EventStore events) {
        return new AggregateCache(CACHED_ACCOUNTS_MAX, events);
    }

    /**
     * Caches pools, because the draw of a pool sends a command for each page. Without this cache, each command would
     * read the pool from its first event.
     */
    @Bean
    Cache poolCache(EventStore events) {
        return new AggregateCache(CACHED_POOLS_MAX, events);
    }

    /**
     * Caches the rebate counts of users. An entry takes about one kilobyte. A user has an entry only after a rebate by
     * a rule with a limit.
     */
    @Bean
    Cache rebateCache(EventStore events) {
        return new AggregateCache(CACHED_REBATES_MAX, events);
    }

    @Bean
    Cache creditCache(EventStore events) {
        return new AggregateCache(CACHED_CREDITS_MAX, events);
    }

    /**
     * Makes snapshots of aggregates that grow with a user for years, such as accounts, credits and sign-ins, so that
     * they load fast.
     */
    @Bean
    SnapshotTriggerDefinition userSnapshots(Snapshotter snapshotter) {
        return new EventCountSnapshotTriggerDefinition(snapshotter, EVENTS_PER_SNAPSHOT);
    }

    @Bean
    Cache awardCache(EventStore events) {
        return new AggregateCache(CACHED_AWARDS_MAX, AWARD_IDLE_MAX, events);
    }

    /** Lets the caches of each process follow all changes from the start of the process on. */
    @Bean
    ProcessorStart cachesFollowChanges() {
        return ProcessorStart.inEachProcess(CACHES);
    }
}
