#include "study/report/plan.h"
