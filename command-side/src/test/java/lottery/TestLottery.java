package lottery;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import lottery.api.EventNames;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalId;
import lottery.problem.ProblemConfiguration;
import lottery.store.EventTypes;
import lottery.store.vault.PersonVaultConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The command side alone, as the tests of this module start it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    CommandSideConfiguration.class,
    CommandEndpointsConfiguration.class,
    ProblemConfiguration.class,
    PersonVaultConfiguration.class,
    TestLottery.DeskOfTests.class
})
class TestLottery {

    /** Decides about proposals over HTTP, as the desk of the whole product does. */
    @RestController
    static class DeskOfTests {

        private final EndpointCommandSender commands;

        DeskOfTests(EndpointCommandSender commands) {
            this.commands = commands;
        }

        @PostMapping("/api/v1/ops/proposals/{proposalId}/decision")
        Proposal decide(@PathVariable ProposalId proposalId, @RequestBody Map<String, String> form) {
            return commands.send(
                            "AGREE".equals(form.get("decision"))
                                    ? new AgreeToProposal(proposalId)
                                    : new DeclineProposal(proposalId, null))
                    .orThrow();
        }
    }

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }

    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }

    @Bean
    DrawQueueInMemory drawQueue() {
        return new DrawQueueInMemory();
    }

    @Bean
    static WatchedLocks.OfAggregates watchedLocks() {
        return new WatchedLocks.OfAggregates();
    }

    @Bean
    static WatchedReads watchedReads() {
        return new WatchedReads();
    }

    @Bean
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }
}
