package lottery.proof;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** Configures the endpoints for proofs, exports and simulations. They need the aggregates of the same process. */
@Configuration(proxyBeanMethods = false)
@ComponentScan({"lottery.proof", "lottery.simulation"})
public class ProofConfiguration {}
