package lottery.view.wheel;

import jakarta.persistence.Embeddable;
import java.io.Serializable;

/** @param version the version of the strategy */
@Embeddable
record StrategyAwardKey(long strategyId, int version, int awardId) implements Serializable {}
