// Decode turns a captured frame into at most one TCP segment: the innermost one.
import Trace
