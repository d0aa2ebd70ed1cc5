import type { ToolWords } from './en.ts';

export const chinese: ToolWords = {
  console: {
    apiName: { console: '控制台' },
    inspector: { info: '信息及以上', warning: '警告和错误', error: '错误' },
  },
  crawl: {
    apiName: { crawl: '爬取' },
    form: {
      url: '起始地址',
      urls: '起始地址，每行一个',
      sitemap: '站点地图',
      maxPages: '最多页数',
      maxDepth: '离起始页面最多几个链接',
      scope: '它能到达哪里',
      origin: '起始地址所在的网站',
      host: '这些网站及其子域名',
      scopeGlob: '它能到达符合此模式的地址',
      include: '只读取符合这些模式的地址，每行一个',
      exclude: '不读取符合这些模式的地址，每行一个',
      robots: '跳过 robots.txt 不希望程序读取的页面',
    },
  },
  dialog: {
    apiName: { dialog: '回应对话框' },
    inspector: { accept: '接受', dismiss: '取消' },
    form: {
      action: '按钮',
      accept: '“确定”',
      dismiss: '“取消”',
      text: '填入的文字',
    },
  },
  docs: { apiName: { docs_search: '搜索文档', docs_fetch: '阅读文档' } },
  extract_data: {
    apiName: { extract_data: '提取数据' },
    form: {
      run: '读取哪次爬取的页面',
      scope: '页面的哪一部分',
      multiple: '所有记录，而不只是一条',
      maxPages: '最多页数',
    },
  },
  fetch: {
    apiName: { fetch: '获取文件' },
    inspector: { pages: (pages) => `第 ${pages} 页`, bytes: '原始字节' },
    form: {
      url: '地址',
      pages: 'PDF 的页码',
      maxBytes: '最多字节数',
    },
  },
  find: { apiName: { find: '查找元素' } },
  find_tools: { apiName: { find_tools: '查找工具' } },
  html_skeleton: { apiName: { html_skeleton: 'HTML 骨架' } },
  interact: {
    apiName: { interact: '操作页面' },
    inspector: {
      verbs: {
        click: '点击',
        double_click: '双击',
        right_click: '右键点击',
        tap: '轻触',
        hover: '指向',
        fill: '填写',
        type: '输入到',
        press: '按键于',
        select: '选择',
        check: '勾选',
        uncheck: '取消勾选',
        drag: '拖动',
        scroll: '滚动',
        wheel: '滚动滚轮于',
        upload: '上传到',
        focus: '聚焦',
        clear: '清空',
        submit: '提交',
        wait: '等待',
        dialog: '回答对话框：',
      },
      verbsAlone: { press: '按键', wheel: '滚动滚轮' },
      snapshot: '随后生成快照',
    },
    form: {
      step: (at: number) => `步骤 ${at}`,
      remove: (at: number) => `去掉步骤 ${at}`,
      add: '添加步骤',
    },
  },
  navigate: {
    apiName: { navigate: '导航' },
    inspector: { back: '后退', forward: '前进', reload: '重新加载' },
    form: {
      url: '地址',
    },
  },
  network: {
    apiName: { network: '网络' },
    inspector: { start: '开始', stop: '停止', slice: '请求', clear: '清除', status: '状态' },
    form: {
      bodies: '保留请求和响应的哪些内容',
      none: '不保留',
      text: '文字，例如 JSON 和表单',
      all: '全部，包括文件和图片',
    },
  },
  oc_connection_health: { apiName: { oc_connection_health: '连接状况' } },
  oc_evidence_bundle: {
    apiName: { oc_evidence_bundle: '证据包' },
    inspector: { reload: '重新加载' },
  },
  oc_journal: {
    apiName: { oc_journal: '日志' },
    inspector: { summary: '摘要', recent: '最近的调用' },
  },
  oc_output_fetch: {
    apiName: { oc_output_fetch: '读取输出' },
    inspector: { from: (offset) => `从 ${offset} 起` },
  },
  oc_output_query: {
    apiName: { oc_output_query: '查询输出' },
    inspector: {
      schema: '结构',
      stats: '统计',
      diff: '差异',
      sortedBy: (key) => `按 ${key}`,
    },
  },
  output_keep: {
    apiName: { output_keep: '保留输出' },
    inspector: { release: '允许过期' },
  },
  output_list: { apiName: { output_list: '列出输出' } },
  output_schema: { apiName: { output_schema: '推断结构' } },
  read_page: {
    apiName: { read_page: '读取页面' },
    inspector: {
      text: '文本',
      html: 'HTML 源码',
      snapshot: '快照',
      nodes: '节点',
      main: '正文',
      controls: '仅控件',
      changes: '变化',
    },
  },
  recipes: {
    apiName: {
      recipe_search: '搜索配方',
      recipe_get: '查看配方',
      recipe_run: '运行配方',
      recipe_save: '保存配方',
      recipe_delete: '删除配方',
    },
    inspector: { replaces: '替换' },
  },
  request_human_input: {
    apiName: { request_human_input: '询问用户' },
    inspector: {
      waiting: '正在等待用户',
      approval: '批准',
      text: '文本',
      choice: '选择',
      form: '表单',
      takeover: '接管',
    },
  },
  resume_call: { apiName: { resume_call: '恢复调用' } },
  runs: {
    apiName: {
      run_status: '运行状态',
      run_output: '运行输出',
      run_cancel: '取消运行',
      run_resume: '恢复运行',
      run_list: '列出运行',
      run_log: '运行日志',
    },
    inspector: { from: (offset) => `从 ${offset} 起` },
  },
  screenshot: {
    apiName: { screenshot: '截图' },
    inspector: { full_page: '整页', tiles: '分块', handle: '存储' },
  },
  script: { apiName: { script: '运行程序' } },
  tabs: {
    apiName: { tabs: '标签页' },
    inspector: { list: '列出', open: '打开', close: '关闭', activate: '切换到前台' },
  },
  wait_for: {
    apiName: { wait_for: '等待' },
    inspector: { gone: '消失', load: '加载完成', download: '下载', idle: '网络空闲', any: '任意一个' },
  },
};
